"""The games as Python games of OpenSpiel (`pip install open_spiel`).

Importing this module registers every built-in game and chess variant with `pyspiel`:
`alesia_murus`, `alesia_loa`, `alesia_variant_chess` and so on (`NAMES`). `register` adds a variant
of a file or of a text. Player 0 is White. An action is the number that `Position.action` gives; the
observation tensor is `Position.features`.

>>> import pyspiel, alesia.openspiel
>>> state = pyspiel.load_game("alesia_hadron5").new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._native import AlesiaError, Engine, Position, games, variants

__all__ = [
    "NAMES",
    "AlesiaGame",
    "AlesiaState",
    "LinesOfActionBot",
    "kaggle_agent",
    "position_of",
    "register",
    "short_name",
]

_SIDES = ["White", "Black"]

NAMES: dict[str, str] = {}
"""The name of each registered game in Alesia, by its name in OpenSpiel."""


class AlesiaState(pyspiel.State):  # type: ignore[misc]
    """A state: a position, which is never changed but replaced."""

    def __init__(self, game: pyspiel.Game, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """The side to move."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return _SIDES.index(self.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions, in ascending order."""
        return sorted(self.position.legal_actions())

    def _apply_action(self, action: int) -> None:
        """Plays a move."""
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """The move in the game's notation; actions that are not legal here have only a number."""
        if action in self.position.legal_actions():
            return self.position.notation(action)
        return str(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw and before the end."""
        result = self.position.result
        if result is None:
            return [0.0, 0.0]
        return [2 * result.score(side) - 1 for side in _SIDES]

    def __str__(self) -> str:
        """The board, and the line by which the program reads it."""
        return str(self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Its game, the board that it began with, and the moves."""
        return _state, (self.get_game(), self.position.start_board, self.history())


class _Observer:
    """The planes of `Position.features`, the same for both players."""

    def __init__(self, shape: tuple[int, int, int], params: Any) -> None:
        if params:
            raise ValueError(f"Observation parameters not supported; passed {params}")
        self.tensor = np.zeros(shape, np.float32).ravel()
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: AlesiaState, player: int) -> None:
        """Fills the tensor."""
        self.dict["observation"][:] = state.position.features()

    def string_from(self, state: AlesiaState, player: int) -> str:
        """The board."""
        return str(state)


class AlesiaGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Alesia; each has a class of its own, as OpenSpiel makes games by class."""

    name: str
    game_type: pyspiel.GameType

    def __init__(self, params: Any = None) -> None:
        self.start = Position(self.name)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.start.max_plies,
        )
        super().__init__(self.game_type, info, params or {})

    def new_initial_state(self, state: str | None = None) -> AlesiaState:
        """The beginning of a game, or a text board."""
        position = self.start if state is None else Position(self.name, state)
        return AlesiaState(self, position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Its start position, which has the definition of a variant."""
        return _game, (self.start,)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What the observation tensor is made by."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.start.feature_shape, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _game(start: Position) -> pyspiel.Game:
    """The game of a pickle, registered where it was not yet."""
    return pyspiel.load_game(register(start.game))


def _state(game: AlesiaGame, board: str | None, actions: list[int]) -> AlesiaState:
    """The state of a pickle."""
    state = game.new_initial_state(board)
    for action in actions:
        state.apply_action(action)
    return state


def position_of(state: pyspiel.State) -> Position:
    """The position of a state, for Alesia's engines."""
    position = state.position
    assert isinstance(position, Position)
    return position


class LinesOfActionBot(pyspiel.Bot):  # type: ignore[misc]
    """An engine as a player of OpenSpiel's own `lines_of_action`.

    The engine is one of `loa:standard`; the limits are those of `Engine.search`.
    """

    def __init__(self, engine: Engine, **limits: int) -> None:
        super().__init__()
        self.engine, self.limits = engine, limits
        # Games that wrap this one, such as Kaggle's, do not name its moves.
        self._game = pyspiel.load_game("lines_of_action")

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing to do: each step reads the whole game."""

    def step(self, state: pyspiel.State) -> int:
        """The action of the engine's move."""

        def notation(action: int) -> str:
            text = str(self._game.action_to_string(0, action))
            return text.upper().replace("X", "-")

        position = Position("loa:standard", moves=[notation(action) for action in state.history()])
        move = self.engine.search(position, **self.limits).move
        return int(next(a for a in state.legal_actions() if notation(a) == move))


def kaggle_agent(engine: Engine, **limits: int) -> Callable[..., dict[str, int] | None]:
    """An agent of Kaggle's arena for its game `open_spiel_lines_of_action`.

    Engine and limits are those of a `LinesOfActionBot`.
    """
    bot = LinesOfActionBot(engine, **limits)

    def agent(observation: dict[str, Any], _configuration: object = None) -> dict[str, int] | None:
        seen = observation.get("serializedGameAndState")
        if not seen:
            # The arena asks once before the game begins.
            return None
        return {"submission": bot.step(pyspiel.deserialize_game_and_state(seen)[1])}

    return agent


def short_name(name: str) -> str:
    """The name in OpenSpiel of a game of Alesia: letters, digits and underscores alone."""
    return "alesia_" + re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


def register(name: str) -> str:
    """Registers a game or a variant by its name in Alesia; returns its name in OpenSpiel.

    Refuses a second game whose name in OpenSpiel would be the same.
    """
    short = short_name(name)
    if short in NAMES:
        if NAMES[short] != name:
            text = f"{short}: found {name}, expected {NAMES[short]}, which has this name already"
            raise AlesiaError(text)
        return short
    game_type = pyspiel.GameType(
        short_name=short,
        long_name=Position(name).title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    members = {"name": name, "game_type": game_type, "__doc__": f"{name} of Alesia."}
    pyspiel.register_game(game_type, type(short, (AlesiaGame,), members))
    NAMES[short] = name
    return short


def _register_all(names: Iterable[str]) -> None:
    for name in names:
        register(name)


_register_all([*games(), *variants()])

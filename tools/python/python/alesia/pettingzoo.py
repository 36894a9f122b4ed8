"""The games as an environment of PettingZoo (`pip install pettingzoo`): turns of two agents (AEC).

An observation is the planes of `Position.features` and a mask of the legal actions; the reward at
the end is 1 for a win, -1 for a loss and 0 for a draw.

>>> from alesia.pettingzoo import env
>>> board = env("hadron5")
>>> board.reset(seed=1)
>>> board.agent_selection
'White'
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._native import Position

__all__ = ["AlesiaEnv", "env"]

_RENDER_MODES = ["ansi", "human"]


def env(game: str = "murus", **options: Any) -> AECEnv:
    """The environment with the usual wrappers: an illegal move loses, and the order is enforced."""
    wrapped: Any = AlesiaEnv(game, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class AlesiaEnv(AECEnv):  # type: ignore[misc]
    """A game between the agents `White` and `Black`.

    `game` and `board` choose the start as in `Position`. With the render mode `ansi`, `render`
    returns the board as text; with `human` it is printed after each move.
    """

    def __init__(
        self,
        game: str = "murus",
        board: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in [None, *_RENDER_MODES]:
            raise ValueError(f"render_mode: found {render_mode!r}, expected ansi or human")
        self.metadata = {
            "name": f"alesia_{game}_v0",
            "render_modes": _RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.start = Position(game, board)
        self.position = self.start
        self.possible_agents = ["White", "Black"]
        self.agents: list[str] = []
        planes = spaces.Box(0.0, 1.0, self.start.feature_shape, np.float32)
        mask = spaces.Box(0, 1, (self.start.num_actions,), np.int8)
        one = spaces.Dict({"observation": planes, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, one)
        self.action_spaces = {
            agent: spaces.Discrete(self.start.num_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What `observe` returns."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of moves."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """The planes, and the legal actions of the agent if it is to move."""
        mask = np.zeros(self.start.num_actions, np.int8)
        if agent == self.agent_selection:
            mask[self.position.legal_actions()] = 1
        # Of its own, as learning programs may change what they are given.
        planes = np.array(self.position.features(), np.float32)
        return {"observation": planes, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; nothing in it is left to chance, so the seed changes nothing."""
        self.position = self.start
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def step(self, action: int | None) -> None:
        """Plays the move of the agent that is selected."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(int(action))  # type: ignore[arg-type]
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Takes the side to move and the result from the position."""
        self.agent_selection = self.position.side
        result = self.position.result
        if result is not None:
            self.rewards = {agent: 2 * result.score(agent) - 1 for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """Returns the board as text, or prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs a render_mode: ansi or human")
            return None
        if self.render_mode == "ansi":
            return str(self.position)
        print(self.position)
        return None

    def close(self) -> None:
        """Nothing is open."""

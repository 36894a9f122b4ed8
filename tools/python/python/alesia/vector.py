"""Many games a call, for learning programs: `VectorEnv` (needs NumPy)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._native import AlesiaError, Position, VectorGames

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["VectorEnv"]


class VectorEnv:
    """`count` games of one kind, which all move in one call.

    The arrays stay the same; each step writes into them. A game that is over begins anew at once,
    so `mask`, `legal` and `legal_counts` are those of its first position then.

    mask          (count, actions), bool: whether an action is legal
    legal         (count, 255), uint16: the legal actions, `legal_counts` of them
    legal_counts  (count,), uint32
    rewards       (count,), float32: the result of the move for its mover: 1, 0 or -1
    dones         (count,), bool: whether the move has ended its game

    Within a step other threads of Python run, and `threads` threads work.
    """

    def __init__(self, game: str = "murus", count: int = 1, *, threads: int = 1) -> None:
        if threads < 1:
            raise AlesiaError(f"threads: found {threads}, expected a whole number from 1")
        self.game, self.count, self.threads = game, count, threads
        self.num_actions = Position(game).num_actions
        self.mask: NDArray[np.bool_] = np.zeros((count, self.num_actions), np.bool_)
        self.legal: NDArray[np.uint16] = np.zeros((count, VectorGames.MAX_MOVES), np.uint16)
        self.legal_counts: NDArray[np.uint32] = np.zeros(count, np.uint32)
        self.rewards: NDArray[np.float32] = np.zeros(count, np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(count, np.bool_)
        # After the arrays, as a count that is too large is an error of NumPy's.
        self._games = VectorGames(game, count)
        # Kept apart, so that an attribute set to another array changes no address.
        self._kept = (self.mask, self.legal, self.legal_counts, self.rewards, self.dones)
        self._addresses = tuple(array.ctypes.data for array in self._kept)
        self.reset()

    def reset(self) -> None:
        """Begins all games anew."""
        self._games.step(None, self._addresses, self.threads)

    def step(self, actions: NDArray[np.integer]) -> None:
        """Plays an action in each game.

        An action that is not legal is an error that names the first such game; in those games
        nothing is played, in the others their actions are.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.count,):
            text = f"actions: found the shape {chosen.shape}, expected ({self.count},)"
            raise AlesiaError(text)
        wrong = self._games.step(chosen.ctypes.data, self._addresses, self.threads)
        if wrong is not None:
            expected = f"a legal one such as {self._kept[1][wrong, 0]}"
            text = f"actions[{wrong}]: found {chosen[wrong]}, expected {expected}"
            raise AlesiaError(text)

    def random_actions(self, rng: np.random.Generator) -> NDArray[np.uint16]:
        """A random legal action of each game."""
        chosen = (rng.random(self.count) * self._kept[2]).astype(np.intp)
        return self._kept[1][np.arange(self.count), chosen]

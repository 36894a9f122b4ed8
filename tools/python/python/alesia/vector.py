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
    legal         (count, 256), uint16: the legal actions, `legal_counts` of them
    legal_counts  (count,), uint32
    rewards       (count,), float32: the result of the move for its mover: 1, 0 or -1
    dones         (count,), bool: whether the move has ended its game

    Within a step other threads of Python run, and `threads` threads work.
    """

    def __init__(self, game: str = "murus", count: int = 1, *, threads: int = 1) -> None:
        if threads < 1:
            raise AlesiaError(f"threads: found {threads}, expected a whole number from 1")
        self.game, self.count, self.threads = game, count, threads
        start = Position(game)
        self.num_actions, self.feature_shape = start.num_actions, start.feature_shape
        self.mask: NDArray[np.bool_] = np.zeros((count, self.num_actions), np.bool_)
        self.legal: NDArray[np.uint16] = np.zeros((count, VectorGames.MAX_MOVES), np.uint16)
        self.legal_counts: NDArray[np.uint32] = np.zeros(count, np.uint32)
        self.rewards: NDArray[np.float32] = np.zeros(count, np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(count, np.bool_)
        self._rows = np.arange(count) * VectorGames.MAX_MOVES
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

    def branch(
        self,
        targets: NDArray[np.integer],
        sources: NDArray[np.integer],
        actions: NDArray[np.integer],
    ) -> None:
        """Makes games copies of others in which an action is played.

        So a tree search keeps its nodes in the games. What is wrong is an error that names the
        first such branch; those before it are made.
        """
        branches = np.ascontiguousarray(np.stack([targets, sources, actions], 1), np.int64)
        wrong = self._games.branch(branches.ctypes.data, len(branches), self._addresses)
        if wrong is not None:
            target, source, action = branches[wrong]
            expected = f"games below {self.count} and a legal action"
            found = f"game {target} from game {source} by {action}"
            raise AlesiaError(f"branch {wrong}: found {found}, expected {expected}")

    def features(self, games: NDArray[np.integer]) -> NDArray[np.float32]:
        """The planes of some games: those of `Position.features`, in a new array."""
        chosen = np.ascontiguousarray(games, np.int64).reshape(-1)
        planes = np.empty((len(chosen), *self.feature_shape), np.float32)
        wrong = self._games.features(chosen.ctypes.data, len(chosen), planes.ctypes.data)
        if wrong is not None:
            expected = f"one below {self.count}"
            raise AlesiaError(f"games[{wrong}]: found {chosen[wrong]}, expected {expected}")
        return planes

    def random_actions(self, rng: np.random.Generator) -> NDArray[np.uint16]:
        """A random legal action of each game."""
        chosen = (rng.random(self.count) * self._kept[2]).astype(np.intp)
        chosen += self._rows
        return self._kept[1].reshape(-1).take(chosen)

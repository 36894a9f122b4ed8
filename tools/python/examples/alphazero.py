"""AlphaZero in NumPy (Silver et al. 2018): learns Hadron from nothing but its rules.

The one idea: the nodes of all search trees are games of one `VectorEnv`. Each iteration goes down
all trees, makes a new node in each (`branch`), and asks the network about all of these at once.

python alphazero.py [--minutes 20] [--game hadron5]
"""

import argparse
import time

import numpy as np

import alesia
from alesia.vector import VectorEnv

rng = np.random.default_rng(1)


class Network:
    """Two hidden layers; shares of the actions, and the value for the side to move."""

    def __init__(self, inputs: int, actions: int, width: int = 128) -> None:
        sizes = [(inputs, width), (width, width), (width, actions + 1)]
        self.weights = [np.float32(rng.normal(0, size[0] ** -0.5, size)) for size in sizes]
        self.moments = [np.zeros((2, *size), np.float32) for size in sizes]
        self.actions, self.steps = actions, 0

    def __call__(self, seen: np.ndarray) -> list[np.ndarray]:
        """Shares, values, and the hidden layers; what is seen begins with the mask."""
        first = np.maximum(seen @ self.weights[0], 0)
        second = np.maximum(first @ self.weights[1], 0)
        out = second @ self.weights[2]
        logits = np.where(seen[:, : self.actions] > 0, out[:, :-1], -1e9)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        return [shares / shares.sum(1, keepdims=True), np.tanh(out[:, -1]), first, second]

    def learn(self, seen: np.ndarray, policy: np.ndarray, result: np.ndarray) -> None:
        """A step of Adam (Kingma and Ba 2015) on cross-entropy and squared error."""
        shares, value, first, second = self(seen)
        out = np.column_stack([shares - policy, 2 * (value - result) * (1 - value**2)]) / len(seen)
        back = (out @ self.weights[2].T) * (second > 0)
        deeper = (back @ self.weights[1].T) * (first > 0)
        slopes = [seen.T @ deeper, first.T @ back, second.T @ out]
        self.steps += 1
        late = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weights, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += 0.1 * (slope + 1e-4 * weights - mean)
            square += 0.001 * (slope**2 - square)
            weights -= 1e-3 * late * mean / (square**0.5 + 1e-8)


class Trees:
    """A tree of `nodes` nodes for each of `games` games; node 0 is the root."""

    def __init__(self, game: str, games: int, nodes: int) -> None:
        self.env, self.nodes, self.all = VectorEnv(game, games * nodes), nodes, np.arange(games)
        self.roots = self.all * nodes
        # The symmetries of a square board: where each number seen and each action comes from.
        _, rows, columns = self.env.feature_shape
        cells = np.arange(rows * columns).reshape(rows, columns)
        of_cell = (cells // columns * (self.env.num_actions // rows) + cells % columns).ravel()
        self.turns = []
        for turned in [np.rot90(board, turn) for board in (cells, cells.T) for turn in range(4)]:
            actions, turned = np.arange(self.env.num_actions), turned.ravel()
            actions[of_cell] = of_cell[turned]
            seen = np.r_[actions, turned + len(actions), turned + len(actions) + cells.size]
            self.turns.append((seen, actions))

    def see(self, rows: np.ndarray) -> np.ndarray:
        """The legal actions, the stones of the side to move, those of the other."""
        planes = self.env.features(rows)
        stones = np.where(planes[:, 2:3] > 0, planes[:, 1::-1], planes[:, :2])
        return np.float32(np.hstack([self.env.mask[rows], stones.reshape(len(rows), -1)]))

    def search(self, network: Network, noise: float) -> np.ndarray:
        """The shares of the visits of each root's actions."""
        shape = (len(self.all), self.nodes, self.env.num_actions)
        visits, total, prior = np.zeros((3, *shape), np.float32)
        child, over = np.zeros(shape, np.int32), np.zeros(shape[:2], bool)
        random = rng.dirichlet([0.5] * shape[2], len(self.all))
        prior[:, 0] = (1 - noise) * network(self.see(self.roots))[0] + noise * random
        for new in range(1, self.nodes):
            path, going = [], self.all
            node, leaf, last = np.zeros((3, len(self.all)), np.int32)
            while len(going):
                at = node[going]
                seen = visits[going, at]
                reach = 1.5 * prior[going, at] * (seen.sum(1, keepdims=True) + 1) ** 0.5
                score = total[going, at] / np.maximum(seen, 1) + reach / (1 + seen)
                action = np.where(self.env.mask[self.roots[going] + at], score, -np.inf).argmax(1)
                path.append((going, at, action))
                leaf[going], last[going], node[going] = at, action, child[going, at, action]
                going = going[(node[going] > 0) & ~over[going, node[going]]]
            fresh = self.all[node == 0]
            rows = self.roots[fresh] + new
            self.env.branch(rows, self.roots[fresh] + leaf[fresh], last[fresh])
            child[fresh, leaf[fresh], last[fresh]] = node[fresh] = new
            over[fresh, new] = self.env.dones[rows]
            # For the side that has moved to the node.
            value = self.env.rewards[self.roots + node]
            if len(asked := fresh[~over[fresh, new]]):
                prior[asked, new], score, *_ = network(self.see(self.roots[asked] + new))
                value[asked] = -score
            for going, at, action in reversed(path):
                visits[going, at, action] += 1
                total[going, at, action] += value[going]
                value[going] *= -1
        return visits[:, 0] / visits[:, 0].sum(1, keepdims=True)

    def play(self, network: Network, running: list[list]) -> list[tuple]:
        """A move in each game; of games that end, what was seen, the shares, the result."""
        seen, shares, found = self.see(self.roots), self.search(network, 0.25), []
        chosen = (shares.cumsum(1) > 0.9999 * rng.random((len(shares), 1))).argmax(1)
        self.env.branch(self.roots, self.roots, chosen)
        for game, rows in enumerate(running):
            rows.append((seen[game], shares[game]))
            if self.env.dones[self.roots[game]]:
                result = self.env.rewards[self.roots[game]] * (-1) ** np.arange(len(rows))
                found += [(*row, sign) for row, sign in zip(rows[::-1], result, strict=True)]
                rows.clear()
        return found


def main() -> None:
    """Learns, and plays a match now and then: 100 iterations against a plain tree search's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="of processor time, to learn")
    parser.add_argument("--game", default="hadron5", help="Hadron on a square board")
    options = parser.parse_args()
    trees, single = Trees(options.game, 128, 50), Trees(options.game, 1, 101)
    network = Network(trees.see(trees.roots).shape[1], trees.env.num_actions)

    def alphazero(position: alesia.Position) -> int:
        single.env.reset()
        at = alesia.Position(options.game)
        for move in position.moves:
            single.env.branch([0], [0], [at.action(move)])
            at = at.play(move)
        return int(single.search(network, 0)[0].argmax())

    def rollout(position: alesia.Position) -> int:
        white, _, black, _ = position.playouts(1, int(rng.integers(1 << 60)))
        return (white - black) * (10_000 if position.side == "White" else -10_000)

    plain = alesia.Engine(options.game, memory="64MiB", evaluate=rollout)
    rival = alesia.Player(plain, nodes=100)
    rows, running, spent = [], [[] for _ in trees.all], 0.0
    for tenth in range(11):
        while spent < 6 * options.minutes * tenth:
            begun = time.process_time()
            rows = (rows + trees.play(network, running))[-50_000:]
            for _ in range(10 if rows else 0):
                batch = [rows[index] for index in rng.integers(len(rows), size=256)]
                seen, policy, result = map(np.float32, map(np.array, zip(*batch, strict=True)))
                seen_from, action_from = trees.turns[rng.integers(len(trees.turns))]
                network.learn(seen[:, seen_from], policy[:, action_from], result)
            spent += time.process_time() - begun
        result = alesia.play_match(alphazero, rival, options.game, pairs=20)
        print(f"{spent / 60:5.1f} min: {result}", flush=True)


if __name__ == "__main__":
    main()

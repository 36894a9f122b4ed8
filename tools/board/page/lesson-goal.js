// Whether a move does what a task of a lesson asks for.
//
// A lesson is a file of data, `lesson-GAME.json`: `steps`, each with the `board` that it begins
// from (none: the start), the `game` where it is another size, `goals`, one for each move of the
// learner, `replies` between them, of which the first legal one is played, a `solution` with both
// sides' moves, and for each language `title`, `task` and `done`.
//
// All that a goal names must hold: `moves` (one of these), `kind` of the move, `promotes`,
// `winner` of the game, `lasts` (nobody has won), `build` ("wW": a cell that had the first letter
// has the second).

/** `before` and `after` are answers of POST /api/positions, one move apart. */
export function isReached(goal, before, after) {
  const move = after.moves.at(-1);
  const letters = ({ now }) => now.rows.join("");
  const builds = ([from, to]) => [...letters(before)].some((letter, i) => letter === from && letters(after)[i] === to);
  const holds = {
    moves: (moves) => moves.includes(move.move),
    kind: (kind) => move.kind === kind,
    promotes: () => Boolean(move.promotion),
    winner: (side) => after.result?.winner === side,
    lasts: () => after.result === null,
    build: builds,
  };
  return Object.entries(goal).every(([name, value]) => holds[name](value));
}

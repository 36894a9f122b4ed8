// What the engines of a game have thought, out of its state and of the thoughts that are running:
// {white, black}, reports or null.

import { thinks } from "./thought.js";
import { valueOf } from "./words.js";

/** Whether the reports of a side are an engine's opinion: chance has none. */
export const hasThoughts = (state, side) => state.seats[side].kind !== "engine" || thinks(state.seats[side]);

/** What White may expect in each position, as far as an engine has said it. */
export function valuesOf(state, thinking) {
  const said = state.moves.map(({ side, report }) => (hasThoughts(state, side) ? (report?.value ?? null) : null));
  const live = hasThoughts(state, state.now.side) ? thinking[state.now.side]?.value : null;
  return [...said, state.result ? valueOf(state.result) : (live ?? null)];
}

/** What is thought, or was, in the position after `ply` moves; null if nothing. */
export function reportAt(state, thinking, ply) {
  const { side, report } = state.moves[ply] ?? { side: state.now.side, report: thinking[state.now.side] };
  return (hasThoughts(state, side) && report) || null;
}

/** The last report of each side up to the position after `ply` moves, or the running thought in it. */
export function reportsUntil(state, thinking, ply) {
  const found = { white: null, black: null };
  for (let i = ply - 1; i >= 0 && !(found.white && found.black); i--) {
    const { side, report, move } = state.moves[i];
    if (report && !found[side] && hasThoughts(state, side)) found[side] = { report, ply: i, move, live: false };
  }
  const { side } = state.now;
  const live = ply === state.moves.length && !state.result && reportAt(state, thinking, ply);
  if (live) found[side] = { report: live, ply, move: null, live: true };
  // At the end a position is worth its result, in the box as in the bar and the graph.
  const end = state.result && ply === state.moves.length ? valueOf(state.result) : null;
  for (const entry of Object.values(found)) if (entry) entry.end = end;
  return found;
}

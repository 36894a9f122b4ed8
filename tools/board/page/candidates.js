// The moves that an engine considers, the best first: as arrows on the board, as a line of play,
// and why the first is played.
//
//   top = [{move, visits, value, proof, …}…], the move that would be played first

import { t } from "./language.js";
import { percent } from "./words.js";

/** How many of the moves have their value beside their arrow: more words than that hide the board. */
const LABELLED = 3;
/** How many moves of a line are drawn. */
const LINE = 6;

/** Whether anything is known of a move: it was searched, or its result is proven. */
export const isRead = ({ visits, proof }) => visits !== 0 || Boolean(proof);

const labelOf = (value) => (value === null ? "" : percent(value));
const mostOf = (top) => Math.max(1, ...top.map(({ visits }) => visits ?? 0));

/**
 * Arrows of the moves, as wide as they have visits; an engine that reports no others shows its best
 * move alone. Moves are drawn by their Moves: `top` and `best` have those; `best` is the move that
 * would be played, or was.
 */
export function arrowsOf({ report, best, top }) {
  if (!top.length) return best ? [{ move: best, weight: 1, label: labelOf(report.value), kind: "best" }] : [];
  const most = mostOf(top);
  const label = (move, k) => (k < LABELLED ? labelOf(move.value) : "");
  const isBest = ({ move }) => move === (best ?? top[0]).move;
  const arrow = (move, k) => ({ move, weight: (move.visits ?? 0) / most, label: label(move, k), kind: isBest(move) ? "best" : "" });
  // Of a move that was never read there is nothing to say.
  const arrows = top.filter(isRead).map(arrow);
  // A level may draw a move that is not among the first.
  return best && !top.some(isBest) ? [...arrows, { move: best, weight: 0.1, label: "", kind: "best" }] : arrows;
}

/** Numbered arrows of the Moves of a line, the first ones the strongest. */
export function lineArrows(line) {
  return line.slice(0, LINE).map((move, k) => ({ move, weight: 0.8 - 0.1 * k, label: String(k + 1), kind: k ? "line" : "best" }));
}

/** Why a level has played a move that it did not prefer, in a sentence; else empty. */
export const whyDrawn = (top, move) => (top.length && move && move !== top[0].move ? t("why.drawn", { move }) : "");

/** Why the first move is played though another has more visits, in a sentence; else empty. */
export function whyPlayed(top) {
  const [played, ...others] = top;
  const most = mostOf(top);
  const other = others.find(({ visits }) => visits === most);
  if (!played || !other || (played.visits ?? 0) >= most) return "";
  const values = { move: played.move, other: other.move };
  if (played.proof) return t("why.proof", values);
  return t(other.proof ? "why.otherProof" : "why.value", values);
}

// A game with its variations as a tree of positions. A node has the move that led to it and the
// positions after it; the first of these continues the game.
//
//   node = {
//     parent, next: [nodes], move: null | Played, rows, side, ply,
//     given      true: of the record that was loaded, so that it cannot be deleted
//     chosen     the node of `next` that stepping forward goes to
//     position   null | the answer of POST /api/positions: {legal, check, board, result}
//     value      null | number, of the record, for White
//     note       null | what a person has written to the move: {mark, comment}
//     verdict    null | the review's entry of this position; `fault` | that of the move that led
//                to it
//   }

import { otherSide } from "./words.js";

function node(parent, move, rows, side, ply, given) {
  return {
    parent,
    next: [],
    move,
    rows,
    side,
    ply,
    given,
    chosen: null,
    position: null,
    value: null,
    note: null,
    verdict: null,
    fault: null,
  };
}

/** The tree of one position, the `start` of POST /api/positions. */
export function createTree(start) {
  return node(null, null, start.rows, start.side, start.ply, true);
}

/** Adds moves (Played) after a node, along nodes that are there already; returns the last. */
export function addMoves(after, moves, given = false) {
  let at = after;
  for (const move of moves) {
    let child = at.next.find((other) => other.move.move === move.move);
    if (!child) {
      child = node(at, move, move.rows, otherSide(at.side), at.ply + 1, given);
      at.next.push(child);
    }
    at.chosen = child;
    at = child;
  }
  return at;
}

/** The nodes from the first move to this node. */
export function pathTo(end) {
  const path = [];
  for (let at = end; at.parent; at = at.parent) path.unshift(at);
  return path;
}

export const movesTo = (end) => pathTo(end).map((at) => at.move.move);

/** The start and all positions of the game itself. */
export function mainLine(root) {
  const line = [root];
  while (line.at(-1).next.length) line.push(line.at(-1).next[0]);
  return line;
}

/** Whether a node is of the game itself rather than of a variation. */
export const isMain = (at) => !at.parent || (at.parent.next[0] === at && isMain(at.parent));

/** The node that stepping forward goes to. */
export const forward = (at) => at.chosen ?? at.next[0] ?? null;

/** The variation beside this one, `by` places on in the list; null where there is none. */
export function beside(at, by) {
  const among = at.parent?.next ?? [];
  return among[among.indexOf(at) + by] ?? null;
}

/** Takes a node and what follows out of the tree; returns the node before it. */
export function remove(at) {
  const before = at.parent;
  before.next = before.next.filter((other) => other !== at);
  if (before.chosen === at) before.chosen = null;
  return before;
}

/** What follows a node, in a form that can be stored. */
export const packed = (at) => at.next.map((child) => ({ move: child.move, given: child.given, note: child.note, next: packed(child) }));

/** Adds what was packed after a node, beside what is there already. */
export function unpack(at, branches) {
  for (const { move, given, note, next } of branches) {
    const chosen = at.chosen;
    const child = addMoves(at, [move]);
    at.chosen = chosen;
    child.given = given;
    child.note = note ?? child.note;
    unpack(child, next);
  }
}

/** Makes a node the one that its parents step forward to. */
export function choose(at) {
  for (let node = at; node.parent; node = node.parent) node.parent.chosen = node;
}

// The pieces of all games, drawn in a box of 100 × 100.
//
// Colour is never the only signal: White is light with a dark rim, the other side dark with a light
// mark inside. Chess pieces of the other side also have a light line along their base.

import { chessPiece } from "./chess-pieces.js";
import { path, svg } from "./svg.js";
import { colourOf, familyOf, pieceOf } from "./words.js";

const MURUS = {
  wall: () => [
    path("M16 46 h13 v8 h10 v-8 h22 v8 h10 v-8 h13 v32 h-68 z"),
    path("M16 65 h68 M34 55.5 v9.5 M50 55.5 v9.5 M66 55.5 v9.5 M26 65 v13 M42 65 v13 M58 65 v13 M74 65 v13", "mark"),
  ],
  tower: () => [
    path("M27 14 h12 v9 h5.5 v-9 h11 v9 h5.5 v-9 h12 v22 l-7 6 v34 l5 8 h-42 l5 -8 v-34 l-7 -6 z"),
    path("M27 34 h46 M35 44 h30", "mark"),
    path("M44 84 v-16 a6 6 0 0 1 12 0 v16 z", "hole"),
  ],
};

function stone(side) {
  return [
    svg("circle", { cx: 50, cy: 50, r: 36, class: "body" }),
    side === "white"
      ? svg("path", { d: "M29 43 a23 23 0 0 1 15 -15", class: "mark" })
      : svg("circle", { cx: 50, cy: 50, r: 22, class: "mark" }),
  ];
}

/** The picture of the piece that `letter` stands for in `game`, as a <g>; null for empty and void cells. */
export function drawPiece(game, letter) {
  const piece = pieceOf(game, letter);
  if (!piece) return null;
  const { side, name } = piece;
  const group = svg("g", { class: `piece ${colourOf(game, side)} ${name ?? "special"}` });
  const family = familyOf(game);
  if (family === "murus") group.append(...MURUS[name]());
  else if (["voidrider", "variant"].includes(family)) group.append(...chessPiece(piece));
  else group.append(...stone(side));
  return group;
}

/** The picture alone in an <svg> of its own, for buttons and name plates. */
export function pieceIcon(game, letter) {
  return svg("svg", { viewBox: "0 0 100 100", class: "piece-icon", "aria-hidden": "true" }, drawPiece(game, letter));
}

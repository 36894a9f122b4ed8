// The pieces of all four games, drawn in a box of 100 × 100.
//
// Colour is never the only signal: White is light with a dark rim, the other side dark with a light
// mark inside, and in Voidrider Chess Red also has a light line along its base.

import { svg } from "./svg.js";
import { pieceOf } from "./words.js";

const path = (d, kind = "body") => svg("path", { d, class: kind });

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

const BASE = "M22 87 v-5 q0 -6 7 -6 h42 q7 0 7 6 v5 z";

const CHESS = {
  pawn: () => [
    path("M44 50 q0 16 -13 26 h38 q-13 -10 -13 -26 z"),
    svg("circle", { cx: 50, cy: 39, r: 14, class: "body" }),
    path("M41 55 h18", "mark"),
  ],
  rook: () => [
    path("M27 18 h12 v8 h6 v-8 h10 v8 h6 v-8 h12 v18 l-8 7 v25 l6 8 h-42 l6 -8 v-25 l-8 -7 z"),
    path("M36 43 h28 M36 67 h28", "mark"),
  ],
  bishop: () => [
    svg("circle", { cx: 50, cy: 17, r: 5.5, class: "body" }),
    path("M50 23 c18 12 21 27 11 41 l8 12 h-38 l8 -12 c-10 -14 -7 -29 11 -41 z"),
    path("M50 35 v16 M43 43 h14 M39 64 h22", "mark"),
  ],
  knight: () => [
    path(
      "M30 76 c0 -16 15 -20 17 -32 c-4 5 -10 5 -14 9 c-4 3 -9 3 -11 -2 c-1 -4 2 -8 6 -12 c3 -8 8 -14 15 -16" +
        " l0 -9 l8 7 c18 2 27 18 25 38 c-1 8 -4 12 -4 17 z",
    ),
    path("M62 30 c7 8 9 20 5 36", "mark"),
    svg("circle", { cx: 42, cy: 34, r: 2.8, class: "hole" }),
  ],
  king: () => [
    path("M46.5 9 h7 v6 h6 v7 h-6 v9 h-7 v-9 h-6 v-7 h6 z"),
    path("M50 40 c4 -15 31 -13 29 4 c-1 9 -9 13 -11 22 l3 10 h-42 l3 -10 c-2 -9 -10 -13 -11 -22 c-2 -17 25 -19 29 -4 z"),
    path("M33 66 h34 M50 42 v18", "mark"),
  ],
  // A star that rides in eight directions round a piece of the void.
  voidrider: () => [
    path("M45 58 h10 l8 18 h-26 z"),
    path(star(50, 40, 31, 17)),
    svg("circle", { cx: 50, cy: 40, r: 9.5, class: "hole" }),
  ],
};

function star(x, y, far, near) {
  let d = "";
  for (let i = 0; i < 16; i++) {
    const radius = i % 2 ? near : i % 4 ? far - 3 : far;
    const angle = (i * Math.PI) / 8;
    d += `${d ? "L" : "M"}${(x + radius * Math.sin(angle)).toFixed(1)} ${(y - radius * Math.cos(angle)).toFixed(1)}`;
  }
  return `${d}Z`;
}

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
  const colour = side === "black" && CHESS[name] ? "red" : side;
  const group = svg("g", { class: `piece ${colour} ${name}` });
  if (MURUS[name]) group.append(...MURUS[name]());
  else if (CHESS[name]) {
    group.append(...CHESS[name](), path(BASE));
    if (colour === "red") group.append(path("M30 82 h40", "mark"));
  } else group.append(...stone(side));
  return group;
}

/** The picture alone in an <svg> of its own, for buttons and name plates. */
export function pieceIcon(game, letter) {
  return svg("svg", { viewBox: "0 0 100 100", class: "piece-icon", "aria-hidden": "true" }, drawPiece(game, letter));
}

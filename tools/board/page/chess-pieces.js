// The pieces of chess and its variants, in a box of 100 × 100. A piece without a shape of its own
// is its letter, in a shield; where it is promoted as pawns are, on a pawn's head.

import { path, svg } from "./svg.js";

const BASE = "M22 87 v-5 q0 -6 7 -6 h42 q7 0 7 6 v5 z";

const CROWN = "M31 76 C30 64 24 48 19 36 L32 53 L35 27 L45 50 L50 23 L55 50 L65 27 L68 53 L81 36 C76 48 70 64 69 76 z";

const SHAPES = {
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
  queen: () => [
    path(CROWN),
    ...[[19, 33], [35, 24], [50, 20], [65, 24], [81, 33]].map(([cx, cy]) => ball(cx, cy, 4.6)),
    path("M33 66 h34", "mark"),
  ],
  archbishop: () => [...SHAPES.knight(), ...crest(SHAPES.bishop())],
  chancellor: () => [...SHAPES.knight(), ...crest(SHAPES.rook())],
  amazon: () => [...SHAPES.knight(), ...crest(SHAPES.queen())],
  centaur: () => [...SHAPES.knight(), ...crest(SHAPES.king())],
  // A king without a crown.
  commoner: () => [
    path("M50 42 c4 -15 31 -13 29 4 c-1 9 -9 11 -11 20 l3 10 h-42 l3 -10 c-2 -9 -10 -11 -11 -20 c-2 -17 25 -19 29 -4 z"),
    ball(50, 26, 10),
    path("M33 66 h34 M50 44 v16", "mark"),
  ],
  // A small queen.
  fers: () => [
    path("M35 76 c1 -10 -3 -20 -8 -29 l15 10 l8 -21 l8 21 l15 -10 c-5 9 -9 19 -8 29 z"),
    ...[[26, 44], [50, 33], [74, 44]].map(([cx, cy]) => ball(cx, cy, 4.6)),
    path("M38 67 h24", "mark"),
  ],
  // A knight behind a bar: it leaps over nothing.
  horse: () => [...SHAPES.knight(), path("M40 68 h36", "mark")],
  cannon: () => [
    path("M20 54 l50 -30 l12 20 l-50 30 z"),
    path("M63 28 l12 20 M29 49 l12 20", "mark"),
    ball(44, 64, 15),
    ball(44, 64, 4),
  ],
  // Pawns that also go otherwise: to the side, or diagonally.
  soldier: () => [...SHAPES.pawn(), path("M30 64 h-12 m5 -5 l-5 5 l5 5 M70 64 h12 m-5 -5 l5 5 l-5 5", "mark outside")],
  breakthrough: () => [...SHAPES.pawn(), path("M41 65 l9 -8 l9 8", "mark")],
  // A star that rides in eight directions round a piece of the void.
  voidrider: () => [
    path("M45 58 h10 l8 18 h-26 z"),
    path(star(50, 40, 31, 17)),
    svg("circle", { cx: 50, cy: 40, r: 9.5, class: "hole" }),
  ],
};

const ball = (cx, cy, r) => svg("circle", { cx, cy, r, class: "body" });

/** A small piece behind the neck of a horse, for a piece that moves as both. */
const crest = (parts) => [svg("g", { transform: "translate(53 -2) scale(0.47)", class: "crest" }, ...parts, path(BASE))];

function star(x, y, far, near) {
  let d = "";
  for (let i = 0; i < 16; i++) {
    const radius = i % 2 ? near : i % 4 ? far - 3 : far;
    const angle = (i * Math.PI) / 8;
    d += `${d ? "L" : "M"}${(x + radius * Math.sin(angle)).toFixed(1)} ${(y - radius * Math.cos(angle)).toFixed(1)}`;
  }
  return `${d}Z`;
}

const letterOf = (letter, y, size) => svg("text", { x: 50, y, class: "glyph", "font-size": size }, letter);

function special({ letter, promotes }) {
  if (promotes) return [path("M42 54 q0 12 -12 22 h40 q-12 -10 -12 -22 z"), ball(50, 37, 20), letterOf(letter, 46, 26), path(BASE)];
  return [path("M22 16 h56 v34 q0 24 -28 36 q-28 -12 -28 -36 z"), letterOf(letter, 62, 44)];
}

/** The parts of a piece, {side, name, letter, promotes}. */
export function chessPiece(piece) {
  const shape = SHAPES[piece.name];
  if (!shape) return special(piece);
  const base = [path(BASE)];
  if (piece.side === "black") base.push(path("M30 82 h40", "mark"));
  return [...shape(), ...base];
}

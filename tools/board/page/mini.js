// A small picture of a position, for cards: no coordinates, nothing to click. With the position
// before it, the cells that have changed are marked.

import { svg } from "./svg.js";
import { drawPiece } from "./pieces.js";
import { familyOf, isVoid } from "./words.js";

export function miniBoard(game, rows, before = null, cells = null) {
  const width = rows[0].length;
  const family = familyOf(game);
  const picture = svg("svg", { viewBox: `-6 -6 ${width * 100 + 12} ${rows.length * 100 + 12}`, class: `mini ${family}${rows.some((row) => [...row].some(isVoid)) ? " voids" : ""}`, "aria-hidden": "true" });
  picture.append(svg("rect", { x: -6, y: -6, width: width * 100 + 12, height: rows.length * 100 + 12, rx: 10, class: "ground" }));
  rows.forEach((row, y) =>
    [...row].forEach((letter, x) => {
      const home = family === "murus" && (y === 0 || y === rows.length - 1) ? " home" : "";
      const kind = isVoid(letter) ? "void" : `${(x + y) % 2 ? "odd" : "even"}${home}`;
      const tile = svg("rect", { x: x * 100, y: y * 100, width: 100, height: 100, class: `tile ${kind}` });
      picture.append(tile);
      if (before && before[y][x] !== letter) picture.append(svg("rect", { x: x * 100 + 4, y: y * 100 + 4, width: 92, height: 92, rx: 6, class: "last-new" }));
      const drawn = drawPiece(game, letter);
      const piece = drawn && svg("g", { transform: `translate(${x * 100} ${y * 100})` }, drawn);
      if (piece) picture.append(piece);
      cells?.set(`${y} ${x}`, { row: y, column: x, tile, piece });
    }),
  );
  return picture;
}

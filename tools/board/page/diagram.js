// The diagrams of the rules as boards: the server sends them as text, with the names of rows and
// columns at the edge. Screen readers keep the text.
//
//   drawDiagram(pre, game, hasMarks) puts the board in the place of the letters
//
// With `hasMarks`, `*` is a marked cell, else a cell without a square.

import { miniBoard } from "./mini.js";
import { svg } from "./svg.js";

const MARK = "*";

/** The text of a diagram as {names, rows, columns}. */
function read(text) {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  const columns = lines.pop();
  return { names: lines.map(([name]) => name), rows: lines.map(([, ...cells]) => cells.join("")), columns };
}

export function drawDiagram(pre, game, hasMarks) {
  const { names, rows, columns } = read(pre.textContent);
  const picture = miniBoard(game, hasMarks ? rows.map((row) => row.replaceAll(MARK, ".")) : rows);
  const [width, height] = [columns.length * 100, rows.length * 100];
  picture.setAttribute("viewBox", `-60 -6 ${width + 66} ${height + 66}`);
  picture.classList.add("guide-board");
  picture.style.setProperty("--cells", columns.length);
  const text = (x, y, name) => svg("text", { x, y, class: "coordinate" }, name);
  picture.append(
    ...names.map((name, k) => text(-34, k * 100 + 62, name)),
    ...columns.map((name, k) => text(k * 100 + 50, height + 44, name)),
  );
  rows.forEach((row, y) => {
    for (const [x, letter] of [...row].entries()) {
      if (hasMarks && letter === MARK) picture.append(svg("circle", { cx: x * 100 + 50, cy: y * 100 + 50, r: 15, class: "guide-mark" }));
    }
  });
  pre.before(picture);
  pre.classList.add("unseen");
  pre.removeAttribute("tabindex");
}

// The diagrams of the rules as boards: the server sends them as text, with the names of rows and
// columns at the edge. Screen readers keep the text.
//
//   drawDiagram(pre, game, hasMarks) → { play(line) }: puts the board in the place of the letters
//
// With `hasMarks`, `*` is a marked cell, else a cell without a square. `play` shows moves on the
// board, {board, moves}, and then what the diagram shows again.

import { post } from "./api.js";
import { miniBoard } from "./mini.js";
import { slidePieces } from "./slide.js";
import { svg } from "./svg.js";

const MARK = "*";
/** Milliseconds before a move, and after the last one where the diagram shows something else. */
const PAUSE = 700;
const REST = 2000;

/** The text of a diagram as {names, rows, columns}. */
function read(text) {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  const columns = lines.pop();
  return { names: lines.map(([name]) => name), rows: lines.map(([, ...cells]) => cells.join("")), columns };
}

export function drawDiagram(pre, game, hasMarks) {
  const { names, rows, columns } = read(pre.textContent);
  const [width, height] = [columns.length * 100, rows.length * 100];
  let picture = null;
  let turn = 0;

  /** Shows a position, after another one where a move leads to it. */
  function show(next, before = null) {
    const cells = new Map();
    const drawn = miniBoard(game, hasMarks ? next.map((row) => row.replaceAll(MARK, ".")) : next, before, cells);
    drawn.setAttribute("viewBox", `-60 -6 ${width + 66} ${height + 66}`);
    drawn.classList.add("guide-board");
    drawn.dataset.rows = next.join("/");
    drawn.style.setProperty("--cells", columns.length);
    const text = (x, y, name) => svg("text", { x, y, class: "coordinate" }, name);
    drawn.append(
      ...names.map((name, k) => text(-34, k * 100 + 62, name)),
      ...columns.map((name, k) => text(k * 100 + 50, height + 44, name)),
    );
    next.forEach((row, y) => {
      for (const [x, letter] of [...row].entries()) {
        if (hasMarks && letter === MARK) drawn.append(svg("circle", { cx: x * 100 + 50, cy: y * 100 + 50, r: 15, class: "guide-mark" }));
      }
    });
    if (picture) picture.replaceWith(drawn);
    else pre.before(drawn);
    picture = drawn;
    const origin = (name) => name.split(" ").reverse().map((n) => Number(n) * 100);
    if (before) slidePieces(game, [...cells.keys()], before, next, cells, origin);
  }

  async function play({ board, moves }) {
    const now = ++turn;
    const { start, moves: played } = await post("/api/positions", { game, board, moves });
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    let shown = start.rows;
    if (now !== turn) return;
    show(shown);
    picture.scrollIntoView({ block: "nearest" });
    for (const move of played) {
      await wait(PAUSE);
      if (now !== turn || !picture.isConnected) return;
      show(move.rows, shown);
      shown = move.rows;
    }
    await wait(REST);
    if (now === turn && picture.isConnected) show(rows);
  }

  show(rows);
  pre.classList.add("unseen");
  pre.removeAttribute("tabindex");
  return { play };
}

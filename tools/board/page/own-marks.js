// A person's own arrows and circles on a board: with the right mouse button from cell to cell, or
// on one cell; the same once more takes a mark away. Shift and Alt draw in other colours.
//
//   createOwnMarks({picture, layer, cellAt, centre}) → { clear(), draw() }
//
// `cellAt(event)` is the name of the cell below the pointer, or null; `centre(name)` is its middle.
// They are of the shown position alone: whoever shows another one clears them.

import { drawArrow } from "./marks.js";

export function createOwnMarks({ picture, layer, cellAt, centre }) {
  /** The kinds of the marks by "from to". */
  const marks = new Map();
  let from = null;

  function draw() {
    const arrows = [...marks].map(([key, kind]) => {
      const [start, end] = key.split(" ");
      return { move: { from: start === end ? null : start, to: end }, weight: 0.6, kind };
    });
    layer.replaceChildren(...arrows.map((arrow) => drawArrow(arrow, centre)));
  }

  function clear() {
    if (!marks.size) return;
    marks.clear();
    draw();
  }

  function begin(event) {
    if (event.button === 0) clear();
    from = event.button === 2 ? cellAt(event) : null;
    if (from) picture.setPointerCapture(event.pointerId);
  }

  function end(event) {
    const to = from && event.button === 2 ? cellAt(event) : null;
    const key = `${from} ${to}`;
    from = null;
    if (!to) return;
    const kind = `own${event.shiftKey ? " second" : event.altKey ? " third" : ""}`;
    if (marks.get(key) === kind) marks.delete(key);
    else marks.set(key, kind);
    draw();
  }

  picture.addEventListener("contextmenu", (event) => event.preventDefault());
  picture.addEventListener("pointerdown", begin);
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", () => (from = null));
  return { clear, draw };
}

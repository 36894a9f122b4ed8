// What is drawn over the pieces: the targets of a selected piece, arrows of good moves, and the
// words that explain the marks. A cell is 100 × 100; `at(name)` gives a cell's centre as [x, y].

import { t } from "./language.js";
import { svg, html } from "./svg.js";

/** The marks of one legal move. The group also carries the cells at which a pointer lights it up. */
export function drawTarget(move, at) {
  const [x, y] = at(move.to);
  const group = svg("g", { class: `target ${move.kind}` });
  if (move.kind === "distribute") {
    const [nearX, nearY] = at(move.also);
    group.append(
      svg("line", { x1: nearX, y1: nearY, x2: x, y2: y, class: "join" }),
      svg("circle", { cx: nearX, cy: nearY, r: 13, class: "dot" }),
      svg("circle", { cx: x, cy: y, r: 13, class: "dot" }),
    );
  } else if (move.kind === "sacrifice") {
    const d = `M${x - 25} ${y - 22} l50 50 m0 -50 l-50 50`;
    group.append(svg("path", { d, class: "cross-halo" }), svg("path", { d, class: "cross" }));
  } else if (move.kind === "capture") {
    group.append(svg("circle", { cx: x, cy: y, r: 43, class: "ring" }));
  } else if (move.kind === "space") {
    group.append(svg("rect", { x: x - 41, y: y - 41, width: 82, height: 82, rx: 8, class: "square" }));
    group.append(svg("circle", { cx: x, cy: y, r: 10, class: "dot" }));
  } else if (move.kind === "castle") {
    const [rookX, rookY] = at(move.also);
    group.append(
      svg("line", { x1: rookX + 32 * Math.sign(x - rookX), y1: rookY, x2: x, y2: y, class: "join" }),
      svg("circle", { cx: x, cy: y, r: 15, class: "dot" }),
      // A frame, as the king may also go to that cell by itself, which has a dot inside.
      svg("rect", { x: rookX - 32, y: rookY - 32, width: 64, height: 64, class: "ring" }),
    );
  } else {
    group.append(svg("circle", { cx: x, cy: y, r: move.kind === "place" ? 9 : 15, class: "dot" }));
  }
  return group;
}

/** The cells that choose a move when clicked: where it goes, and in a distribution also the near cell. */
export function clickCells(move) {
  return move.kind === "distribute" ? [move.to, move.also] : [move.to];
}

const EXPLAINED = ["distribute", "sacrifice", "move", "capture", "space", "castle"];

/** A line of marks with their meanings, for the kinds of moves on offer. */
export function explain(kinds) {
  return EXPLAINED.filter((kind) => kinds.has(kind)).map((kind) =>
    html("span", { class: "legend-item" }, legendIcon(kind), t(`legend.${kind}`)),
  );
}

function legendIcon(kind) {
  const wide = kind === "distribute" || kind === "castle";
  const places = { near: [50, 50], far: [wide ? 150 : 50, 50] };
  const move = { kind, to: kind === "castle" ? "near" : "far", also: kind === "castle" ? "far" : "near" };
  return svg(
    "svg",
    { viewBox: `0 0 ${wide ? 200 : 100} 100`, class: wide ? "legend-icon wide" : "legend-icon", "aria-hidden": "true" },
    drawTarget(move, (name) => places[name]),
  );
}

/** An arrow (or a ring, for a stone that comes from nowhere), the stronger the greater its weight. */
export function drawArrow({ move, weight, kind = "" }, at) {
  const group = svg("g", { class: `arrow ${kind}` });
  const opacity = kind === "best" ? 0.95 : (0.4 + 0.55 * weight).toFixed(2);
  const [x, y] = at(move.to);
  if (move.from === null) {
    group.append(svg("circle", { cx: x, cy: y, r: 40, "stroke-width": 5 + 7 * weight, opacity, class: "arrow-ring" }));
    return group;
  }
  const [fromX, fromY] = at(move.from);
  const length = Math.hypot(x - fromX, y - fromY);
  const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  const half = 4 + 6 * weight;
  const head = 18 + 12 * weight;
  const start = 22;
  const neck = length - head * 1.25;
  const points = [
    [start, -half], [neck, -half], [neck, -head], [length, 0], [neck, head], [neck, half], [start, half],
  ];
  group.append(
    svg("polygon", {
      points: points.map((point) => point.map((n) => n.toFixed(1)).join(",")).join(" "),
      transform: `translate(${fromX} ${fromY}) rotate(${angle.toFixed(2)})`,
      class: "arrow-body",
      opacity,
    }),
  );
  return group;
}

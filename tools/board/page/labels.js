// The labels of arrows, placed so that none covers another: on the arrow near its head, or else
// along it, beside it, or at the nearest free place. A cell is 100 × 100.
//
//   drawLabels(arrows, at, size) → a <g> for each arrow with a label, the most important first
//
// `at(name)` gives a cell's centre as [x, y]; `size` is the board's, [width, height].

import { svg } from "./svg.js";

const HEIGHT = 34;
/** The least distance of two labels. */
const GAP = 3;
/** A shorter arrow would vanish below its label. */
const LONG = 180;

const widthOf = (label) => 15 * label.length + 16;

/** The places for a label, the best first, as centres. */
function places({ move, label }, at, [width, height]) {
  const [x, y] = at(move.to);
  const half = widthOf(label) / 2;
  if (move.from === null) return [[x, y], [x, y - 42], [x, y + 42], [x - half - 42, y], [x + half + 42, y]];
  const [fromX, fromY] = at(move.from);
  const length = Math.hypot(x - fromX, y - fromY);
  const along = (share) => [fromX + (x - fromX) * share, fromY + (y - fromY) * share];
  const [sideX, sideY] = [(fromY - y) / length, (x - fromX) / length];
  const inward = sideX * (width / 2 - (fromX + x) / 2) + sideY * (height / 2 - (fromY + y) / 2) < 0 ? -1 : 1;
  const beside = (share, sign) => {
    const away = sign * inward * (34 + (half - 10) * Math.abs(sideX));
    const [alongX, alongY] = along(share);
    return [alongX + sideX * away, alongY + sideY * away];
  };
  const shares = [1 - 60 / length, 0.5, 0.3];
  const on = length > LONG ? shares.map(along) : [];
  return [...on, ...[0.5, ...shares].flatMap((share) => [beside(share, 1), beside(share, -1)])];
}

/** The places of the board around a point, the nearest first. */
function around([x, y], [width, height]) {
  const found = [];
  for (let row = 25; row < height; row += 25) {
    for (let column = 25; column < width; column += 25) found.push([column, row]);
  }
  const far = ([column, row]) => Math.hypot(column - x, row - y);
  return found.sort((one, other) => far(one) - far(other));
}

function boxAt([x, y], label) {
  const half = widthOf(label) / 2;
  return { left: x - half, right: x + half, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
}

const meet = (one, other) =>
  one.left < other.right + GAP && other.left < one.right + GAP && one.top < other.bottom + GAP && other.top < one.bottom + GAP;

export function drawLabels(arrows, at, size) {
  const taken = [];
  const isFree = (box) =>
    box.left >= 0 && box.top >= 0 && box.right <= size[0] && box.bottom <= size[1] && !taken.some((other) => meet(box, other));
  return arrows.filter(({ label }) => label).map((arrow) => {
    const wanted = places(arrow, at, size);
    const place = [...wanted, ...around(wanted[0], size)].find((centre) => isFree(boxAt(centre, arrow.label))) ?? wanted[0];
    taken.push(boxAt(place, arrow.label));
    return drawLabel(place, arrow);
  });
}

function drawLabel([x, y], { label, kind = "" }) {
  const width = widthOf(label);
  return svg(
    "g",
    { class: `arrow ${kind}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    svg("rect", { x: -width / 2, y: -HEIGHT / 2, width, height: HEIGHT, rx: 9, class: "arrow-plate" }),
    svg("text", { y: 9, class: "arrow-text" }, label),
  );
}

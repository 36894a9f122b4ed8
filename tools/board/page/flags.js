// The mark of a cell where a side wins with a certain piece: a pennant in the side's colour.

import { svg } from "./svg.js";

/** The mark for these sides, in a cell of 100 × 100; null for none. */
export function flagMark(sides) {
  if (!sides.length) return null;
  const kind = sides.length === 2 ? "both" : sides[0];
  return svg(
    "g",
    { class: `flag ${kind}`, "aria-hidden": "true" },
    svg("path", { d: "M9 8 l17 6.5 l-17 6.5 z", class: "flag-cloth" }),
    svg("path", { d: "M9 6 v26", class: "flag-pole" }),
  );
}

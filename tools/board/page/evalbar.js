// The value of the shown position as a bar at the board: White's share is what White may expect of
// the result. Upright beside the board; on a phone it lies above it. The figure is the share of the
// side that is ahead, and stands at that side's end.
//
//   createEvalBar(boardElement) → { show({value, flipped}), element }
//
// `value` is for White, 0 to 1; null where nothing is known: then the bar is hatched.

import { t } from "./language.js";
import { html } from "./svg.js";
import { percent } from "./words.js";

/** Puts a bar into the box of a board. */
export function createEvalBar(box) {
  const share = html("div", { class: "eval-share" });
  const figure = html("span", { class: "eval-figure number", "aria-hidden": "true" });
  const element = html(
    "div",
    { class: "eval-bar", role: "meter", "aria-label": t("eval.label"), "aria-valuemin": "0", "aria-valuemax": "100" },
    share,
    html("div", { class: "eval-half" }),
    figure,
  );
  box.prepend(element);
  box.classList.add("with-bar");

  return {
    element,
    show({ value, flipped }) {
      const known = typeof value === "number";
      element.classList.toggle("unknown", !known);
      element.classList.toggle("flipped", flipped);
      share.style.setProperty("--share", `${((known ? value : 0.5) * 100).toFixed(1)}%`);
      element.setAttribute("aria-valuenow", known ? Math.round(value * 100) : 50);
      element.setAttribute("aria-valuetext", known ? t("thought.value", { value: percent(value) }) : t("graph.none"));
      figure.textContent = known ? String(Math.round(Math.max(value, 1 - value) * 100)) : "";
      element.classList.toggle("behind", known && value < 0.5);
    },
    /** Shows the bar or not; the board keeps its place. */
    hide(hidden) {
      element.hidden = hidden;
    },
  };
}

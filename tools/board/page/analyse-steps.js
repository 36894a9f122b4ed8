// Stepping through the analysis: the buttons below the board and the arrow keys of the whole page.
//
//   createSteps(container, {boardBox, current, onGo, onFlip, onDelete, link, say, fail})
//     → { show(root, current), end() }
//
// Left and right step, home and end go to the ends of the line, up and down change between
// variations of a move, delete removes moves that were added by hand. A text field keeps the keys,
// and so does the board while it is played by keyboard; after a click on the board they step.

import { t } from "./language.js";
import { createAutoplay } from "./autoplay.js";
import { playSound, soundOf } from "./sound.js";
import { html, svg } from "./svg.js";
import { beside, forward } from "./variations.js";

const ICONS = {
  first: "M6 5 v14 M18 5 l-8 7 l8 7",
  back: "M15 5 l-8 7 l8 7",
  on: "M9 5 l8 7 l-8 7",
  last: "M18 5 v14 M6 5 l8 7 l-8 7",
  flip: "M8 19 v-14 l-4 4 M16 5 v14 l4 -4",
};

function end(node, next) {
  let at = node;
  for (let to = next(at); to; to = next(at)) at = to;
  return at;
}

export function createSteps(container, { boardBox, current, onGo, onFlip, onDelete, link, say, fail }) {
  const icon = (name) =>
    svg(
      "svg",
      { viewBox: "0 0 24 24", width: 22, height: 22, class: "step-icon", "aria-hidden": "true" },
      svg("path", { d: ICONS[name] }),
    );
  const button = (name, label, onclick) =>
    html("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
  const first = button("first", t("steps.first"), () => step("Home"));
  const back = button("back", t("steps.back"), () => step("ArrowLeft"));
  const on = button("on", t("steps.on"), () => step("ArrowRight"));
  const last = button("last", t("steps.last"), () => step("End"));
  const flip = button("flip", t("steps.flip"), onFlip);
  const away = html(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => onDelete(current()) },
    t("steps.delete"),
  );
  const copy = html("button", { type: "button", class: "quiet", onclick: copyLink }, t("steps.copy"));
  const autoplay = createAutoplay({
    isAtEnd: () => !forward(current()),
    onStep: (to) => step(to === "on" ? "ArrowRight" : "Home"),
  });
  const copied = html("span", { class: "steps-note quiet-text", "aria-hidden": "true" });
  container.append(
    html(
      "div",
      { class: "steps", role: "group", "aria-label": t("steps.label") },
      html("div", { class: "steps-main" }, first, back, on, last),
      html("div", { class: "steps-more" }, autoplay.element, flip, copy, away, copied),
    ),
  );

  const ways = {
    ArrowLeft: (at) => at.parent,
    ArrowRight: (at) => forward(at),
    Home: (at) => end(at, (node) => node.parent),
    End: (at) => end(at, forward),
    ArrowUp: (at) => beside(at, -1),
    ArrowDown: (at) => beside(at, 1),
  };

  function step(key) {
    const to = ways[key](current());
    if (!to || to === current()) return false;
    if (to.parent === current()) playSound(soundOf(to.move));
    onGo(to);
    return true;
  }

  async function copyLink() {
    const address = link();
    try {
      if (!address) throw new Error(t("steps.tooLong"));
      await navigator.clipboard.writeText(address);
      copied.textContent = t("bar.copied");
      say(t("steps.copied"));
      setTimeout(() => (copied.textContent = ""), 2500);
    } catch (error) {
      fail(address ? new Error(t("steps.noCopy")) : error);
    }
  }

  let clicked = false;
  const pointed = () => (clicked = true);
  boardBox.addEventListener("pointerdown", pointed);

  function keyed(event) {
    if (event.key === "Tab") clicked = false;
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !current()) return;
    if (target.closest?.("input:not([type=checkbox]), textarea, dialog, [role=slider]")) return;
    // A list has up and down for itself; left and right step even there.
    if (target.closest?.("select") && key !== "ArrowLeft" && key !== "ArrowRight") return;
    if (boardBox.contains(target) && !clicked) return;
    if (key === "Delete" && !away.hidden) onDelete(current());
    else if (!(key in ways)) return;
    // Up and down scroll the page as ever where there is no variation to change to.
    else if (!step(key) && (key === "ArrowUp" || key === "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
  }
  document.addEventListener("keydown", keyed, true);

  return {
    show(root, at) {
      autoplay.stop();
      const before = at === root;
      const done = !forward(at);
      // A disabled button would lose the focus.
      for (const [element, off] of [
        [first, before],
        [back, before],
        [on, done],
        [last, done],
      ])
        element.setAttribute("aria-disabled", off);
      away.hidden = at.given;
    },
    end() {
      autoplay.end();
      document.removeEventListener("keydown", keyed, true);
    },
  };
}

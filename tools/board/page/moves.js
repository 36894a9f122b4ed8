// The list of moves in numbered pairs, with buttons to step through the game.
//
//   createMoves(container, {onStep}) → { show(game, shown, faults), element, end() }
//
// `shown` is the number of moves played in the position on the board, null for the live one;
// `faults` has the marks of bad moves, {mark, loss} by the number of the move.
// onStep("first" | "back" | "on" | "live" | number) asks for another position.

import { drawMark } from "./analyse-moves.js";
import { createAutoplay } from "./autoplay.js";
import { html } from "./svg.js";
import { t } from "./language.js";
import { sideName, written } from "./words.js";

export function createMoves(container, { onStep }) {
  const list = html("ol", { class: "moves", tabindex: 0, "aria-label": t("moves.label") });
  const step = (to, text, label) =>
    html("button", { type: "button", "data-step": to, "aria-label": label, title: label, onclick: () => onStep(to) }, text);
  const buttons = {
    first: step("first", "«", t("moves.first")),
    back: step("back", "‹", t("moves.back")),
    on: step("on", "›", t("moves.on")),
    live: html("button", { type: "button", "data-step": "live", class: "to-live", onclick: () => onStep("live") }, t("moves.live")),
  };
  const autoplay = createAutoplay({ isAtEnd: () => place.at === place.of, onStep });
  const count = html("span", { class: "quiet-text number" });
  const element = html(
    "section",
    { class: "panel moves-panel", "aria-label": t("moves.title") },
    html("div", { class: "moves-head" }, html("h2", {}, t("moves.title")), count),
    list,
    html("div", { class: "move-steps" }, ...Object.values(buttons)),
    autoplay.element,
  );
  container.append(element);
  list.addEventListener("click", (event) => {
    const entry = event.target.closest("[data-ply]");
    if (entry) onStep(Number(entry.dataset.ply));
  });

  let place = { at: 0, of: 0 }; // of the shown position among all
  let drawn = [];
  let entries = [];

  /** Keeps what stands and replaces from the first move that differs. */
  function draw(game) {
    const same = drawn.findIndex((move, i) => game.moves[i]?.move !== move);
    const keep = same < 0 ? drawn.length : same;
    for (const entry of entries.splice(keep)) {
      const pair = entry.parentElement;
      entry.remove();
      if (!pair.querySelector("[data-ply]")) pair.remove();
    }
    for (let i = keep; i < game.moves.length; i++) {
      const move = game.moves[i];
      let pair = list.lastElementChild;
      if (i === 0 || move.side === "white" || !pair) {
        const number = Math.floor((game.start.ply + i) / 2) + 1;
        pair = html("li", { class: "pair" }, html("span", { class: "move-number number" }, `${number}.`));
        if (move.side === "black") pair.append(html("span", { class: "move-none" }, "…"));
        list.append(pair);
      }
      const label = `${sideName(game.game, move.side)} ${written(move)}`;
      const entry = html("button", { type: "button", class: "move", tabindex: -1, "data-ply": i + 1, "aria-label": label }, written(move));
      pair.append(entry);
      entries.push(entry);
    }
    drawn = game.moves.map((move) => move.move);
  }

  function show(game, shown, faults) {
    draw(game);
    entries.forEach((entry, i) => drawMark(entry, "move", faults.get(i)));
    const at = shown ?? game.moves.length;
    if (at !== place.at) autoplay.stop();
    place = { at, of: game.moves.length };
    autoplay.element.hidden = !place.of;
    entries.forEach((entry, i) => {
      if (i === at - 1) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    });
    const current = entries[at - 1];
    // Scrolls the list only, never the page.
    if (current) {
      const top = current.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - current.offsetHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    } else list.scrollTop = 0;
    count.textContent = `${at} / ${game.moves.length}`;
    buttons.first.disabled = buttons.back.disabled = at === 0;
    buttons.on.disabled = at === game.moves.length;
    buttons.live.disabled = shown === null;
    buttons.live.textContent = t(game.result ? "moves.end" : "moves.live");
  }

  return { show, element, end: autoplay.end };
}

// The replay of a game by itself: a button that starts and stops it, and its speed.
//
//   createAutoplay({isAtEnd, onStep}) → { element, stop(), end() }
//
// `onStep("first" | "on")` shows another position; `isAtEnd()` says whether there is a next one.
// Whoever steps meanwhile calls stop(); steps of the replay's own do not.

import { html } from "./svg.js";
import { t } from "./language.js";
import { keepText, recallText } from "./memory.js";
import { secondsText } from "./words.js";

const KEY = "alesia-replay";
/** Milliseconds for a move. */
const TIMES = ["500", "1000", "2000", "4000"];

/** The speed that was chosen last. */
export function replayTime() {
  const kept = recallText(KEY);
  return TIMES.includes(kept) ? kept : "1000";
}

export function createAutoplay({ isAtEnd, onStep }) {
  let timer = 0;
  let stepping = false;
  const button = html("button", { type: "button", "data-action": "replay", onclick: () => (timer ? stop() : start()) });
  const speed = html(
    "select",
    { "aria-label": t("replay.speed"), "data-action": "replay-speed", onchange: changed },
    ...TIMES.map((ms) => html("option", { value: ms, selected: ms === replayTime() }, secondsText(Number(ms)))),
  );
  const element = html("div", { class: "replay" }, button, speed);
  show();

  function show() {
    button.textContent = timer ? "❚❚" : "▶";
    button.setAttribute("aria-label", t(timer ? "replay.stop" : "replay.start"));
    button.title = t(timer ? "replay.stop" : "replay.start");
  }

  function step(to) {
    stepping = true;
    onStep(to);
    stepping = false;
  }

  function next() {
    if (!isAtEnd()) step("on");
    if (isAtEnd()) stop();
  }

  function start() {
    if (isAtEnd()) step("first");
    timer = setInterval(next, Number(speed.value));
    show();
  }

  function stop() {
    if (stepping || !timer) return;
    clearInterval(timer);
    timer = 0;
    show();
  }

  function changed() {
    keepText(KEY, speed.value);
    if (!timer) return;
    clearInterval(timer);
    timer = setInterval(next, Number(speed.value));
  }

  return { element, stop, end: () => clearInterval(timer) };
}

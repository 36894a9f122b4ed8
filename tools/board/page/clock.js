// The two clocks: the time that each side has used, the running one ticking, with the limit per
// move where there is one. Figures of equal width, so that nothing moves when they change.

import { playSound } from "./sound.js";
import { html } from "./svg.js";
import { clockText, secondsText } from "./words.js";

/** From a limit of this on there is time to hear that it runs low: at a fifth, and 10 s at most. */
const SLOW = 5000;
const LOW = 10_000;

/** `faces` are the elements of the two clocks, {white, black}; the answer's `stop` ends the ticking. */
export function createClocks(faces) {
  let clock = null;
  let warned = false; // of this move
  let received = 0;
  const parts = {};
  for (const side of ["white", "black"]) {
    parts[side] = { total: html("span", { class: "clock-total" }), move: html("span", { class: "clock-move" }) };
    faces[side].append(parts[side].move, parts[side].total);
  }

  function draw() {
    if (!clock) return;
    for (const side of ["white", "black"]) {
      const running = clock.running === side;
      const move = running ? clock.elapsed + performance.now() - received : 0;
      faces[side].classList.toggle("running", running);
      parts[side].total.textContent = clockText(clock.used[side] + move);
      const limit = clock.limit ? ` / ${secondsText(clock.limit)}` : "";
      parts[side].move.textContent = running ? `${clockText(move, true)}${limit}` : "";
      if (running) warn(move);
      parts[side].move.classList.toggle("late", Boolean(clock.limit) && move > clock.limit);
    }
  }

  /** Says once a move that its time is nearly over. */
  function warn(move) {
    const { limit } = clock;
    if (warned || !limit || limit < SLOW || move < limit - Math.min(limit / 5, LOW)) return;
    warned = true;
    playSound("low");
  }

  const timer = setInterval(() => clock?.running && draw(), 100);
  return {
    set(next) {
      warned = warned && next?.running === clock?.running;
      clock = next;
      received = performance.now();
      draw();
    },
    stop: () => clearInterval(timer),
  };
}

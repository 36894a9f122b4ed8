// The two clocks: the time that each side has used, the running one ticking, with the limit per
// move where there is one. Figures of equal width, so that nothing moves when they change.

import { html } from "./svg.js";
import { clockText, secondsText } from "./words.js";

/** `faces` are the elements of the two clocks, {white, black}; the answer's `stop` ends the ticking. */
export function createClocks(faces) {
  let clock = null;
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
      parts[side].move.classList.toggle("late", Boolean(clock.limit) && move > clock.limit);
    }
  }

  const timer = setInterval(() => clock?.running && draw(), 100);
  return {
    set(next) {
      clock = next;
      received = performance.now();
      draw();
    },
    stop: () => clearInterval(timer),
  };
}

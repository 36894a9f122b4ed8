// The two clocks: the time that each side has used, or has left where people play with a clock, the
// running one ticking, with the limit per move where there is one. Figures of equal width, so that
// nothing moves when they change.

import { decimal } from "./language.js";
import { playSound } from "./sound.js";
import { html } from "./svg.js";
import { clockText, secondsText } from "./words.js";

/** From a limit of this on there is time to hear that it runs low: at a fifth, and 10 s at most. */
const SLOW = 5000;
const LOW = 10_000;

/** Time that is left, with tenths where they count: "0:09.3". */
const leftText = (ms) => (ms < LOW ? `0:0${decimal(Math.floor(ms / 100) / 10, 1)}` : clockText(ms));

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
      const left = clock.left ? Math.max(0, clock.left[side] - move) : null;
      parts[side].total.textContent = left === null ? clockText(clock.used[side] + move) : leftText(left);
      faces[side].classList.toggle("low", left !== null && left < lowTime());
      const limit = clock.limit ? ` / ${secondsText(clock.limit)}` : "";
      parts[side].move.textContent = running ? `${clockText(move, true)}${limit}` : "";
      if (running) warn(move);
      parts[side].move.classList.toggle("late", Boolean(clock.limit) && move > clock.limit);
    }
  }

  /** What is left when time runs low: a fifth, and 10 s at most. */
  const lowTime = () => Math.min((clock.bank?.base ?? clock.limit) / 5, LOW);

  /** Says once a move that its time is nearly over. */
  function warn(move) {
    const limit = clock.left?.[clock.running] ?? clock.limit;
    const whole = clock.bank?.base ?? limit;
    if (warned || !limit || whole < SLOW || move < limit - lowTime()) return;
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

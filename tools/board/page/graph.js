// The value of a game over its plies as one small drawing: White's share of the height is what
// White may expect of the result. Where nothing is known the field is hatched.
//
//   createGraph(container, {onPly, label}) → { show(view), element, end() }; a view has
//
//   game     the game's id, for the sides' names
//   first    the ply of the first value (0 unless the game began from a board)
//   values   [number | null …], for White, 0 to 1; entry k belongs to the position after k moves
//   ply      the entry that is shown on the board; null: none of them
//   marks    [{ply, mark}…], at the position after the move;
//            mark = "inaccuracy" | "mistake" | "blunder"
//   scale    of values that are no shares: {least, most, middle, ticks: [[value, label]…]}; then
//            `bands`: [[low, high] | null …] are drawn behind the line, `number(k)` is what stands
//            below an entry, and `words(k)` what is said of it
//
// `onPly(k)` is called with the entry that a person has chosen: by click, by dragging, or with the
// arrow keys, for the drawing is a slider to the keyboard and to screen readers.

import { t } from "./language.js";
import { html, svg } from "./svg.js";
import { percent, sideName } from "./words.js";

const HEIGHT = 132;
const LEFT = 30;
/** Numbers are wider than shares. */
const LEFT_OF_NUMBERS = 46;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;
const INNER = HEIGHT - TOP - BOTTOM;

/** What the sides may expect, from 0 to 1. */
const SHARES = {
  least: 0,
  most: 1,
  middle: 0.5,
  ticks: [
    [1, "1"],
    [0.5, "½"],
    [0, "0"],
  ],
};

/** Each mark has a shape of its own, larger with the loss: a ring, a triangle, a square on its corner. */
const SHAPES = {
  inaccuracy: (x, y) => svg("circle", { cx: x, cy: y, r: 3.5 }),
  mistake: (x, y) => svg("path", { d: `M${x} ${y - 5.5} l5.5 9.5 h-11 z` }),
  blunder: (x, y) => svg("path", { d: `M${x} ${y - 6.5} l6.5 6.5 l-6.5 6.5 l-6.5 -6.5 z` }),
};

/** The pattern of what is not known: of neither side's colour. */
function hatching() {
  const size = { width: 8, height: 8, patternUnits: "userSpaceOnUse" };
  return svg(
    "pattern",
    { id: "graph-hatching", ...size, patternTransform: "rotate(45)" },
    svg("rect", { width: 8, height: 8, class: "graph-unknown" }),
    svg("path", { d: "M0 0 v8", class: "graph-stripe" }),
  );
}

/** The runs of known values: an engine against a person knows every second, so one unknown is passed over. */
function runsOf(values) {
  const known = values.map((value, k) => [k, value]).filter(([, value]) => typeof value === "number");
  const found = [];
  for (const entry of known) {
    const run = found.at(-1);
    if (run && entry[0] - run.at(-1)[0] <= 2) run.push(entry);
    else found.push([entry]);
  }
  return found;
}

/** Whether values make a curve; without one there is nothing to draw. */
export const hasCurve = (values) => runsOf(values).some((run) => run.length > 1);

export function createGraph(container, { onPly, label = t("graph.label") }) {
  const caption = html("p", { class: "graph-caption", "aria-hidden": "true" });
  const drawing = svg("svg", { "aria-hidden": "true", height: HEIGHT });
  const slider = html("div", { class: "graph-slider", role: "slider", tabindex: "0", "aria-label": label }, drawing);
  const element = html("div", { class: "graph" }, slider, caption);
  container.append(element);

  let view = { game: "", first: 0, values: [], ply: 0, marks: [], scale: SHARES };
  let pointed = null;
  let width = 320;

  const last = () => Math.max(view.values.length - 1, 0);
  const left = () => (view.scale === SHARES ? LEFT : LEFT_OF_NUMBERS);
  const x = (k) => left() + (last() ? (k / last()) * (width - left() - RIGHT) : 0);
  const share = (value) => Math.min(1, Math.max(0, (value - view.scale.least) / (view.scale.most - view.scale.least)));
  const y = (value) => TOP + (1 - share(value)) * INNER;
  const numberOf = (k) => view.number?.(k) ?? view.first + k;

  function words(k) {
    if (view.words) return view.words(k);
    const value = view.values[k];
    const mark = view.marks.find((entry) => entry.ply === k)?.mark;
    const parts = [t("graph.ply", { ply: view.first + k })];
    if (typeof value === "number") parts.push(`${sideName(view.game, "white")} ${percent(value)}`);
    else parts.push(t("graph.none"));
    if (mark) parts.push(t(`mark.${mark}`));
    return parts.join(" · ");
  }

  /** The line through a run of known values, with both sides' shares. */
  function curve(known) {
    const points = known.map(([k, value]) => `${x(k).toFixed(1)} ${y(value).toFixed(1)}`);
    const from = x(known[0][0]).toFixed(1);
    const to = x(known.at(-1)[0]).toFixed(1);
    const area = (name, edge) =>
      svg("path", { class: name, d: `M${from} ${y(edge)} L${points.join(" L")} L${to} ${y(edge)} z` });
    const areas = view.scale === SHARES ? [area("graph-white", 0), area("graph-black", 1)] : [band(known)];
    return svg(
      "g",
      {},
      ...areas,
      known.length > 1
        ? svg("path", { class: "graph-line", d: `M${points.join(" L")}` })
        : svg("circle", { class: "graph-point", cx: from, cy: y(known[0][1]), r: 3 }),
    );
  }

  /** What an entry may be off by, behind the line. */
  function band(known) {
    const edges = known.map(([k]) => [k, view.bands?.[k]]).filter(([, edge]) => edge);
    if (!edges.length) return null;
    const points = [...edges.map(([k, [low]]) => [k, low]), ...edges.reverse().map(([k, [, high]]) => [k, high])];
    return svg("path", { class: "graph-band", d: `M${points.map(([k, value]) => `${x(k).toFixed(1)} ${y(value).toFixed(1)}`).join(" L")} z` });
  }

  function frame() {
    const group = svg(
      "g",
      {},
      view.scale === SHARES ? hatching() : null,
      svg("rect", { class: "graph-field", fill: view.scale === SHARES ? "url(#graph-hatching)" : "none", x: left(), y: TOP, width: width - left() - RIGHT, height: INNER }),
    );
    for (const [value, text] of view.scale.ticks) {
      group.append(svg("text", { class: "graph-label", x: left() - 8, y: y(value) + 4, "text-anchor": "end" }, text));
    }
    const step = [1, 2, 5, 10, 20, 50, 100].find((size) => (last() / size) * 34 <= width - left() - RIGHT) ?? 200;
    for (let k = (step - (view.first % step)) % step; k <= last(); k += step) {
      group.append(
        svg("text", { class: "graph-label", x: x(k), y: HEIGHT - 5, "text-anchor": "middle" }, String(numberOf(k))),
      );
    }
    return group;
  }

  function marks() {
    const group = svg("g", {});
    for (const { ply, mark } of view.marks) {
      const value = view.values[ply];
      if (typeof value !== "number") continue;
      const shape = SHAPES[mark](x(ply), y(value));
      shape.setAttribute("class", `graph-mark ${mark}`);
      group.append(shape);
    }
    return group;
  }

  function cursor(k, name) {
    if (k === null || k > last()) return null;
    const value = view.values[k];
    const group = svg("g", { class: name }, svg("path", { d: `M${x(k)} ${TOP} v${INNER}` }));
    if (typeof value === "number") group.append(svg("circle", { cx: x(k), cy: y(value), r: 4.5 }));
    return group;
  }

  function draw() {
    drawing.setAttribute("width", width);
    drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const middle = svg("path", { class: "graph-middle", d: `M${left()} ${y(view.scale.middle)} H${width - RIGHT}` });
    const parts = [frame(), ...runsOf(view.values).map(curve), middle, cursor(view.ply, "graph-now"), marks(), cursor(pointed, "graph-pointed")];
    drawing.replaceChildren(...parts.filter(Boolean));
    const told = pointed ?? view.ply;
    caption.textContent = told === null ? "" : words(told);
    slider.setAttribute("aria-valuemin", view.first);
    slider.setAttribute("aria-valuemax", view.first + last());
    slider.setAttribute("aria-valuenow", view.first + (view.ply ?? 0));
    slider.setAttribute("aria-valuetext", view.ply === null ? t("graph.variation") : words(view.ply));
  }

  function entryAt(event) {
    const share = (event.clientX - slider.getBoundingClientRect().left - left()) / (width - left() - RIGHT);
    return Math.min(last(), Math.max(0, Math.round(share * last())));
  }

  function choose(k) {
    if (k !== view.ply) onPly(k);
  }

  slider.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    slider.setPointerCapture(event.pointerId);
    choose(entryAt(event));
  });
  slider.addEventListener("pointermove", (event) => {
    if (slider.hasPointerCapture(event.pointerId)) choose(entryAt(event));
    else pointed = event.pointerType === "mouse" ? entryAt(event) : null;
    draw();
  });
  slider.addEventListener("pointerleave", () => {
    pointed = null;
    draw();
  });
  slider.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = view.ply ?? 0;
    const steps = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1 };
    const jumps = { Home: 0, End: last(), PageUp: now + 10, PageDown: now - 10 };
    const k = steps[event.key] ?? jumps[event.key];
    if (k === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(Math.min(last(), Math.max(0, k)));
  });

  const watch = new ResizeObserver(() => {
    const room = Math.floor(slider.clientWidth);
    if (!room || room === width) return;
    width = room;
    draw();
  });
  watch.observe(slider);

  return {
    element,
    show(next) {
      view = { game: "", first: 0, marks: [], scale: SHARES, ...next };
      draw();
    },
    end: () => watch.disconnect(),
  };
}

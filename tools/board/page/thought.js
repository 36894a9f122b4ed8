// The analysis of the engines: the value for White as a bar and a number, depth, nodes, speed, the
// principal variation and the top moves. Live during a search.

import { whyDrawn, whyPlayed } from "./candidates.js";
import { createGraph, hasCurve } from "./graph.js";
import { html } from "./svg.js";
import { t } from "./language.js";
import { sideName, seatName, percent, countText, clockText, proofText } from "./words.js";

/** Whether an engine with an analysis to show plays on this seat. */
export const thinks = (seat) => seat.kind === "engine" && seat.engine !== "random";

/** Whether a level below full strength plays on this seat. */
const isLevel = ({ kind, engine }) => kind === "engine" && !["mcts", "alphabeta", "random"].includes(engine);

/** How many of the moves that were considered are listed. */
const ROWS = 5;

/**
 * `onVeil(veiled)` is called by the switch, `onPly(k)` by the graph, `onLook(looked)` when a person
 * points at a move that was considered: {ply, move}, or null when they point at none.
 */
export function createThoughts(container, { onVeil, onPly, onLook }) {
  const element = html("section", { class: "panel thoughts", "aria-label": t("thought.title") });
  const none = html("p", { class: "quiet-text" }, t("thought.none"));
  const shown = html("input", { type: "checkbox", role: "switch", "data-action": "thoughts", onchange: () => onVeil(!shown.checked) });
  const veil = html("label", { class: "switch" }, shown, html("span", {}, t("thought.show")));
  const blocks = { white: block(onLook), black: block(onLook) };
  const body = html("div", { class: "thoughts-body" }, none);
  const graph = createGraph(body, { onPly });
  body.append(blocks.white.element, blocks.black.element);
  element.append(html("h2", {}, t("thought.title")), veil, body);
  container.append(element);

  /**
   * `reports` = {white, black}: each null or {report, ply, live, move, end}; `ply` is the number of
   * moves before the search, `move` the one played after it, null during it; `end` is what the
   * result of the game is worth where the shown position is its last, else null: there is nothing
   * to think of. The panel is there from the start if an engine (or a remote player,
   * which may be one) plays, so that the layout stays stable. `veiled`: true while a person plays
   * against an engine and does not want to see it, null where there is nothing to choose. `values`
   * and `ply` are those of the graph.
   */
  function show(game, reports, { veiled, values, ply }) {
    veil.hidden = veiled === null;
    shown.checked = veiled === false;
    body.hidden = veiled === true;
    element.classList.toggle("folded", veiled === true);
    graph.element.hidden = !hasCurve(values);
    if (!body.hidden && !graph.element.hidden) graph.show({ game: game.game, first: game.start.ply, values, ply });
    for (const side of ["white", "black"]) blocks[side].show(game, side, reports[side]);
    const some = Boolean(reports.white || reports.black);
    const expected = Object.values(game.seats).some((seat) => seat.kind === "remote" || thinks(seat));
    none.hidden = some;
    element.hidden = !some && !expected;
  }

  return { show, element, end: () => graph.end() };
}

function block(onLook) {
  const title = html("h3", {});
  const state = html("span", { class: "quiet-text" });
  const share = html("span", { class: "value-white" });
  const bar = html("div", { class: "value-bar", "aria-hidden": "true" }, share);
  const value = html("p", { class: "value-text number" });
  const facts = html("dl", { class: "facts number" });
  const line = html("p", { class: "line" });
  const head = html("li", { class: "weighed-head" }, ...["thought.move", "side.white", "thought.visits"].map((key) => html("span", {}, t(key))));
  const rows = Array.from({ length: ROWS }, () => row(onLook));
  const top = html("ol", { class: "weighed" }, head, ...rows.map((entry) => entry.element));
  const why = html("p", { class: "thought-why quiet-text" });
  const over = html("p", { class: "thought-over quiet-text" }, t("thought.over"));
  const search = html("div", {}, facts, line, top, why);
  const element = html("div", { class: "thought", hidden: true }, html("div", { class: "thought-head" }, title, state), bar, value, search, over);

  const fact = (name, text) => html("div", {}, html("dt", {}, name), html("dd", {}, text));

  function show(game, side, entry) {
    element.hidden = !entry;
    if (!entry) return;
    const { report, ply, live, move, end } = entry;
    const worth = end ?? report.value;
    element.classList.toggle("thinking", live);
    element.dataset.thought = side;
    title.textContent = t("thought.of", { side: sideName(game.game, side), name: seatName(game.game, side, game.seats[side].name) });
    state.textContent = live ? t("thought.live") : move ? t("thought.played", { move }) : "";
    bar.hidden = worth === null;
    if (!bar.hidden) share.style.width = `${(worth * 100).toFixed(1)}%`;
    search.hidden = end !== null;
    over.hidden = end === null;
    // A forced move may have no value.
    const words = worth === null && report.only ? [] : [t("thought.value", { value: percent(worth) })];
    // What was proven of the moves to come has been played.
    const proof = end === null ? proofText(game.game, report.proof) : "";
    const only = end === null && report.only && t("thought.only");
    value.textContent = [only, ...words, proof].filter(Boolean).join(" · ");
    const told = [];
    if (report.depth !== null) told.push(fact(t("thought.depth"), String(report.depth)));
    // Only the tree search reports several moves.
    const counted = report.top.length > 0 || game.seats[side].engine === "mcts" ? t("thought.iterations") : t("thought.positions");
    if (report.nodes !== null) told.push(fact(counted, countText(report.nodes)));
    if (report.per_second !== null) told.push(fact(t("thought.speed"), countText(report.per_second)));
    if (report.ms !== null) told.push(fact(t("thought.time"), clockText(report.ms, true)));
    facts.replaceChildren(...told);
    const moves = `${report.pv.slice(0, 8).join("\u2002")}${report.pv.length > 8 ? " …" : ""}`;
    line.textContent = report.pv.length ? t("thought.line", { moves }) : "";
    const most = Math.max(1, ...report.top.map((candidate) => candidate.visits ?? 0));
    head.hidden = !report.top.length;
    rows.forEach((each, k) => each.show(report.top[k] ?? null, most, ply));
    // A level draws its move; how another program chose another than its first is not known.
    const isFirst = !move || move === report.top[0]?.move;
    why.textContent = isFirst ? whyPlayed(report.top) : isLevel(game.seats[side]) ? whyDrawn(report.top, move) : "";
    why.hidden = !why.textContent;
  }

  return { element, show };
}

/** A move that was considered; it stays from report to report, as a person may point at it. */
function row(onLook) {
  let looked = null;
  const mark = html("span", { class: "weighed-bar", "aria-hidden": "true" });
  const move = html("span", { class: "weighed-move" });
  const value = html("span", { class: "number" });
  const visits = html("span", { class: "number quiet-text" });
  const look = () => onLook(looked);
  const away = () => onLook(null);
  const events = { onpointerenter: look, onpointerleave: away, onfocus: look, onblur: away };
  const element = html("li", { class: "weighed-row", tabindex: 0, hidden: true, ...events }, mark, move, value, visits);

  function show(candidate, most, ply) {
    element.hidden = !candidate;
    looked = candidate && { ply, move: candidate.move };
    if (!candidate) return;
    mark.style.width = `${((100 * (candidate.visits ?? 0)) / most).toFixed(0)}%`;
    move.textContent = candidate.move;
    value.textContent = percent(candidate.value);
    visits.textContent = countText(candidate.visits ?? 0);
  }

  return { element, show };
}

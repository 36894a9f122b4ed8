// The analysis of the engines: the value for White as a bar and a number, depth, nodes, speed, the
// principal variation and the top moves. Live during a search.

import { createGraph } from "./graph.js";
import { html } from "./svg.js";
import { t } from "./language.js";
import { sideName, seatName, percent, countText, clockText, proofText } from "./words.js";

/** Whether an engine with an analysis to show plays on this seat. */
export const thinks = (seat) => seat.kind === "engine" && seat.engine !== "random";

/** `onVeil(veiled)` is called by the switch, `onPly(k)` by the graph. */
export function createThoughts(container, { onVeil, onPly }) {
  const element = html("section", { class: "panel thoughts", "aria-label": t("thought.title") });
  const none = html("p", { class: "quiet-text" }, t("thought.none"));
  const shown = html("input", { type: "checkbox", role: "switch", "data-action": "thoughts", onchange: () => onVeil(!shown.checked) });
  const veil = html("label", { class: "switch" }, shown, html("span", {}, t("thought.show")));
  const blocks = { white: block(), black: block() };
  const body = html("div", { class: "thoughts-body" }, none);
  const graph = createGraph(body, { onPly });
  body.append(blocks.white.element, blocks.black.element);
  element.append(html("h2", {}, t("thought.title")), veil, body);
  container.append(element);

  /**
   * `reports` = {white, black}: each null or {report, live, move, end}; `move` is the move played after
   * the search, null during it; `end` is what the result of the game is worth where it is over, else null. The panel is there from the start if an engine (or a remote player,
   * which may be one) plays, so that the layout stays stable. `veiled`: true while a person plays
   * against an engine and does not want to see it, null where there is nothing to choose. `values`
   * and `ply` are those of the graph.
   */
  function show(game, reports, { veiled, values, ply }) {
    veil.hidden = veiled === null;
    shown.checked = veiled === false;
    body.hidden = veiled === true;
    element.classList.toggle("folded", veiled === true);
    graph.element.hidden = !values.some((value) => typeof value === "number");
    if (!body.hidden && !graph.element.hidden) graph.show({ game: game.game, first: game.start.ply, values, ply });
    for (const side of ["white", "black"]) blocks[side].show(game, side, reports[side]);
    const some = Boolean(reports.white || reports.black);
    const expected = Object.values(game.seats).some((seat) => seat.kind === "remote" || thinks(seat));
    none.hidden = some;
    element.hidden = !some && !expected;
  }

  return { show, element, end: () => graph.end() };
}

function block() {
  const title = html("h3", {});
  const state = html("span", { class: "quiet-text" });
  const share = html("span", { class: "value-white" });
  const bar = html("div", { class: "value-bar", "aria-hidden": "true" }, share);
  const value = html("p", { class: "value-text number" });
  const facts = html("dl", { class: "facts number" });
  const line = html("p", { class: "line" });
  const top = html("ol", { class: "weighed" });
  const element = html("div", { class: "thought", hidden: true }, html("div", { class: "thought-head" }, title, state), bar, value, facts, line, top);

  const fact = (name, text) => html("div", {}, html("dt", {}, name), html("dd", {}, text));

  function show(game, side, entry) {
    element.hidden = !entry;
    if (!entry) return;
    const { report, live, move, end } = entry;
    const worth = end ?? report.value;
    element.classList.toggle("thinking", live);
    element.dataset.thought = side;
    title.textContent = t("thought.of", { side: sideName(game.game, side), name: seatName(game.game, side, game.seats[side].name) });
    state.textContent = live ? t("thought.live") : move ? t("thought.played", { move }) : "";
    bar.hidden = worth === null;
    if (!bar.hidden) share.style.width = `${(worth * 100).toFixed(1)}%`;
    // A forced move may have no value.
    const words = worth === null && report.only ? [] : [t("thought.value", { value: percent(worth) })];
    // What was proven of the moves to come has been played.
    const proof = end === null ? proofText(game.game, report.proof) : "";
    value.textContent = [report.only && t("thought.only"), ...words, proof].filter(Boolean).join(" · ");
    const rows = [];
    if (report.depth !== null) rows.push(fact(t("thought.depth"), String(report.depth)));
    // Only the tree search reports several moves.
    const counted = report.top.length > 0 || game.seats[side].engine === "mcts" ? t("thought.iterations") : t("thought.positions");
    if (report.nodes !== null) rows.push(fact(counted, countText(report.nodes)));
    if (report.per_second !== null) rows.push(fact(t("thought.speed"), countText(report.per_second)));
    if (report.ms !== null) rows.push(fact(t("thought.time"), clockText(report.ms, true)));
    facts.replaceChildren(...rows);
    const moves = `${report.pv.slice(0, 8).join("\u2002")}${report.pv.length > 8 ? " …" : ""}`;
    line.textContent = report.pv.length ? t("thought.line", { moves }) : "";
    const most = Math.max(1, ...report.top.map((candidate) => candidate.visits ?? 0));
    top.replaceChildren(
      ...(report.top.length ? [html("li", { class: "weighed-head" }, html("span", {}, t("thought.move")), html("span", {}, t("side.white")), html("span", {}, t("thought.visits")))] : []),
      ...report.top.slice(0, 5).map((candidate) => {
        const mark = html("span", { class: "weighed-bar", "aria-hidden": "true" });
        mark.style.width = `${((100 * (candidate.visits ?? 0)) / most).toFixed(0)}%`;
        return html(
          "li",
          {},
          mark,
          html("span", { class: "weighed-move" }, candidate.move),
          html("span", { class: "number" }, percent(candidate.value)),
          html("span", { class: "number quiet-text" }, countText(candidate.visits ?? 0)),
        );
      }),
    );
  }

  return { element, show };
}

// The live analysis: an engine searches the shown position while the switch is on, and starts again
// when another position is shown.
//
//   createLive(container, {onReport, onWalk, onLook, fail, say})
//     → { show(position), leave(), end() }
//
//   position = {game, board, moves, first, over}: what POST /api/analyses takes, the ply it begins
//              with (for the numbers of the moves), and whether the game has ended there
//   onReport(report)  the event's data, or null when there is nothing to draw
//   onWalk(moves)     Moves of the principal variation up to the one that was clicked
//   onLook(line)      the Moves of the line of the candidate that is pointed at, or null

import { post } from "./api.js";
import { events } from "./streams.js";
import { keep, recall } from "./memory.js";
import { numberOf } from "./analyse-moves.js";
import { isRead, whyPlayed } from "./candidates.js";
import { createLineSearch } from "./line-search.js";
import { t } from "./language.js";
import { html } from "./svg.js";
import { countText, engineName, percent, proofText, secondsText, sideName, written } from "./words.js";

const KEPT = "alesia-analysis";
/** Milliseconds; none: until stopped. */
const TIMES = ["", "1000", "10000"];
const ROWS = 5;

/** The number of moves shown of the principal variation: the engine has hardly searched later ones. */
const WALK = 12;

export function createLive(container, { onReport, onWalk, onLook, fail, say }) {
  const choice = (id, options, value) => {
    const element = html(
      "select",
      { id, onchange: changed },
      ...options.map(([key, label]) => html("option", { value: key }, label)),
    );
    if (options.some(([key]) => key === value)) element.value = value;
    return element;
  };
  const on = html("input", { type: "checkbox", role: "switch", id: "live-on", onchange: changed });
  const engine = choice(
    "live-engine",
    [
      ["mcts", engineName("mcts")],
      ["alphabeta", engineName("alphabeta")],
    ],
    recall(KEPT).engine,
  );
  const time = choice("live-time", TIMES.map((ms) => [ms, ms ? secondsText(Number(ms)) : t("live.forever")]), recall(KEPT).time);

  const share = html("div", { class: "value-share" });
  const bar = html(
    "div",
    { class: "value-bar", role: "meter", "aria-label": t("live.meter"), "aria-valuemin": "0", "aria-valuemax": "100" },
    share,
    html("div", { class: "value-half" }),
  );
  const value = html("strong", { class: "value-text" });
  const proof = html("span", { class: "value-proof" });
  const depth = html("dd", { "data-fact": "depth" });
  const nodesName = html("dt");
  const nodes = html("dd", { "data-fact": "nodes" });
  const speed = html("dd", { "data-fact": "speed" });
  const facts = html(
    "dl",
    { class: "live-facts" },
    fact(html("dt", {}, t("thought.depth")), depth),
    fact(nodesName, nodes),
    fact(html("dt", {}, t("thought.speed")), speed),
  );

  const rows = Array.from({ length: ROWS }, createRow);
  const heads = [t("thought.move"), t("thought.visits"), t("side.white"), t("live.prior"), t("live.proof")].map((name, i) =>
    html("th", { scope: "col", class: i && i < 4 ? "number" : null }, name),
  );
  const table = html(
    "table",
    { class: "live-top" },
    html("caption", { class: "unseen" }, t("live.top")),
    html("thead", {}, html("tr", {}, ...heads)),
    html("tbody", {}, ...rows.map((row) => row.element)),
  );
  const why = html("p", { class: "live-why quiet-text" });
  const variation = html("ol", { class: "live-variation", "aria-label": t("live.walk") });
  const state = html("p", { class: "live-state" });
  const body = html(
    "div",
    { class: "live-body", hidden: true },
    html("div", { class: "value-row" }, value, proof),
    bar,
    facts,
    html("div", { class: "live-scroll" }, table),
    why,
    html("h3", {}, t("live.variation")),
    variation,
  );
  container.append(
    html(
      "section",
      { class: "live panel", "aria-labelledby": "live-title" },
      html(
        "div",
        { class: "live-head" },
        html("h2", { id: "live-title" }, t("live.title")),
        html("label", { class: "switch", for: "live-on" }, on, html("span", {}, t("live.switch"))),
      ),
      html("div", { class: "live-choices" }, field(t("live.engine"), engine), field(t("live.time"), time)),
      state,
      body,
    ),
  );

  let position = null;
  let running = null;
  let line = [];
  /** The newest line that began with a move, by its text; the engine reports the best line alone. */
  const lines = new Map();
  const lineSearch = createLineSearch({
    onLine(move, found) {
      lines.set(move.move, found);
      onLook(found);
    },
  });

  function field(name, element) {
    return html("label", { class: "field", for: element.id }, html("span", {}, name), element);
  }

  function fact(name, content) {
    return html("div", {}, name, content);
  }

  function createRow() {
    let move = null;
    const play = html("button", { type: "button", class: "line-move", onclick: () => move && onWalk([move]) });
    const visitBar = html("span", { class: "visit-bar", "aria-hidden": "true" });
    const visits = html("span");
    const cells = {
      value: html("td", { class: "number" }),
      prior: html("td", { class: "number" }),
      proof: html("td", { class: "proof" }),
    };
    function look() {
      onLook(move && (lines.get(move.move) ?? [move]));
      // A move that decides the game at once has no line.
      if (move && !lines.has(move.move) && move.proof?.plies !== 1) lineSearch.ask(position, engine.value, move);
    }
    function away() {
      lineSearch.drop();
      onLook(null);
    }
    const element = html(
      "tr",
      { onpointerenter: look, onpointerleave: away, onfocusin: look, onfocusout: away },
      html("th", { scope: "row" }, play),
      html("td", { class: "number visits" }, visitBar, visits),
      ...Object.values(cells),
    );
    return {
      element,
      show(entry, most) {
        move = entry;
        element.hidden = !entry;
        if (!entry) return;
        play.textContent = written(entry);
        const read = isRead(entry);
        visits.textContent = entry.visits === null || !read ? "–" : countText(entry.visits);
        visitBar.style.width = `${most ? (100 * entry.visits) / most : 0}%`;
        cells.value.textContent = read ? percent(entry.value) : "–";
        cells.prior.textContent = entry.prior === null || !read ? "–" : percent(entry.prior);
        cells.proof.textContent = proofText(position.game, entry.proof);
      },
    };
  }

  /** The moves of the variation; buttons are used again, so that one keeps the focus through updates. */
  function showVariation(moves) {
    line = moves;
    while (variation.children.length < moves.length) {
      const k = variation.children.length;
      const button = html("button", { type: "button", class: "line-move", onclick: () => onWalk(line.slice(0, k + 1)) });
      variation.append(html("li", {}, html("span", { class: "line-number", "aria-hidden": "true" }), button));
    }
    for (const [k, item] of [...variation.children].entries()) {
      item.hidden = k >= moves.length;
      if (item.hidden) continue;
      const ply = position.first + position.moves.length + k;
      item.firstChild.textContent = k === 0 || ply % 2 === 0 ? numberOf(ply) : "";
      item.lastChild.textContent = written(moves[k]);
    }
  }

  function show(data) {
    const { report } = data;
    const most = Math.max(0, ...data.top.map((entry) => entry.visits ?? 0));
    body.hidden = false;
    body.classList.remove("stale");
    value.textContent = `${sideName(position.game, "white")} ${percent(report.value)}`;
    bar.hidden = report.value === null;
    if (!bar.hidden) {
      share.style.width = `${report.value * 100}%`;
      bar.setAttribute("aria-valuenow", Math.round(report.value * 100));
      bar.setAttribute("aria-valuetext", value.textContent);
    }
    proof.textContent = [report.only && t("live.only"), proofText(position.game, report.proof)].filter(Boolean).join(" · ");
    depth.textContent = report.depth ?? "–";
    nodes.textContent = report.nodes === null ? "–" : countText(report.nodes);
    speed.textContent = report.per_second === null ? "–" : countText(report.per_second);
    table.hidden = !data.top.length;
    if (data.pv.length) lines.set(data.pv[0].move, data.pv);
    rows.forEach((row, i) => row.show(data.top[i] ?? null, most));
    why.textContent = whyPlayed(data.top);
    why.hidden = !why.textContent;
    showVariation(data.pv.slice(0, WALK));
    onReport(data);
  }

  function stop() {
    lineSearch.drop();
    if (!running) return;
    running.stopped = true;
    running.close?.();
    if (running.id && !running.done) post(`/api/analyses/${running.id}/stop`, {}, { keepalive: true }).catch(() => {});
    running = null;
  }

  async function begin() {
    stop();
    nodesName.textContent = engine.value === "mcts" ? t("thought.iterations") : t("thought.positions");
    if (!on.checked || !position) return rest("");
    if (position.over) return rest(t("live.over"));
    const run = { id: null, close: null, stopped: false, done: false };
    running = run;
    body.classList.add("stale");
    lines.clear();
    state.textContent = t("game.thinking");
    onReport(null);
    try {
      const { game, board, moves } = position;
      const ms = time.value ? Number(time.value) : null;
      run.id = (await post("/api/analyses", { game, ...(board && { board }), moves, engine: engine.value, ms })).id;
    } catch (error) {
      if (!run.stopped) failed(error);
      return;
    }
    if (run.stopped) {
      post(`/api/analyses/${run.id}/stop`).catch(() => {});
      return;
    }
    run.close = events(`/api/analyses/${run.id}/events`, {
      report(data) {
        show(data);
        if (!data.done) return;
        run.done = true;
        run.close();
        // The connection was lost for longer than the server waits.
        if (data.stopped) return begin();
        state.textContent = t("live.done", { move: written(data.best) });
        say(t("live.said", { move: written(data.best), value: value.textContent }));
      },
      failed(error) {
        // The search has ended without listeners: start another.
        if (run.stopped) return;
        run.done = error.status === 404;
        if (run.done) begin();
        else failed(error);
      },
    });
  }

  function failed(error) {
    on.checked = false;
    stop();
    rest("");
    fail(error);
  }

  function rest(text) {
    state.textContent = text;
    body.hidden = true;
    onReport(null);
  }

  function changed() {
    keep(KEPT, { engine: engine.value, time: time.value });
    begin();
  }

  return {
    show(next) {
      const same = running && !running.done && JSON.stringify(next) === JSON.stringify(position);
      position = next;
      if (on.checked && !same) begin();
    },
    /** Another position is about to be shown: what comes of this one is of no more use. */
    leave() {
      if (running) body.classList.add("stale");
      stop();
    },
    end: stop,
  };
}

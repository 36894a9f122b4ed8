// The review of a whole game: an engine searches every position and marks bad moves. Progress while
// it runs, then a summary by side and buttons to the next and the previous mistake.
//
//   createReview(container, {onPlies, onMistake, fail, say})
//     → { show(line), summary(game, mistakes), end() }
//
//   line              {game, board, moves, opening}: the game to review, whose first
//                     `opening` moves no player chose
//   onPlies(plies, finished)
//                     the entries of event `review` so far, or null when an old review is dropped
//   onMistake(by)     to the next mistake (1) or the one before (-1)
//   mistakes          [{side, mark, loss}…], an entry for each reviewed move

import { post } from "./api.js";
import { events } from "./streams.js";
import { decimal, t } from "./language.js";
import { html } from "./svg.js";
import { engineName, secondsText, sideName } from "./words.js";
import { SYMBOLS } from "./analyse-moves.js";

const TIMES = [100, 300, 1000, 3000];
/** The marks with the keys of their names in the plural. */
const MARKS = { inaccuracy: "review.inaccuracies", mistake: "review.mistakes", blunder: "review.blunders" };

export function createReview(container, { onPlies, onMistake, fail, say }) {
  const engine = html(
    "select",
    { id: "review-engine" },
    ...["mcts", "alphabeta"].map((key) => html("option", { value: key }, engineName(key))),
  );
  const time = html("select", { id: "review-time" }, ...TIMES.map((ms) => html("option", { value: ms }, secondsText(ms))));
  time.value = "300";
  const start = html("button", { type: "button", onclick: begin }, t("review.start"));
  const choices = html("div", { class: "review-choices" }, field(t("review.engine"), engine), field(t("review.perPosition"), time), start);

  const progress = html("progress", { id: "review-progress", "aria-label": t("review.title") });
  const progressText = html("span", { class: "review-text" });
  const cancel = html("button", { type: "button", class: "quiet", onclick: stop }, t("cancel"));
  const running = html("div", { class: "review-running", hidden: true }, progress, progressText, cancel);
  const broken = html("p", { class: "review-broken quiet-text", hidden: true });

  const summary = html("div", { class: "review-summary", hidden: true });
  const back = html("button", { type: "button", class: "quiet", onclick: () => onMistake(-1) }, t("review.previous"));
  const on = html("button", { type: "button", class: "quiet", onclick: () => onMistake(1) }, t("review.next"));
  const walk = html("div", { class: "review-walk", hidden: true }, back, on);
  container.append(
    html(
      "section",
      { class: "review panel", "aria-labelledby": "review-title" },
      html("h2", { id: "review-title" }, t("review.title")),
      choices,
      running,
      broken,
      summary,
      walk,
    ),
  );

  let line = null;
  let run = null;

  function field(name, element) {
    return html("label", { class: "field", for: element.id }, html("span", {}, name), element);
  }

  function rest() {
    running.hidden = true;
    choices.hidden = false;
    start.disabled = !line?.moves.length;
  }

  function stop() {
    if (!run) return;
    run.stopped = true;
    run.close?.();
    if (run.id) post(`/api/reviews/${run.id}/stop`, {}, { keepalive: true }).catch(() => {});
    run = null;
    const inside = running.contains(document.activeElement);
    rest();
    if (inside) start.focus();
  }

  /** How far it is, and about how long it still takes. */
  function told({ done, total }, began) {
    progress.max = total;
    progress.value = done;
    const seconds = done ? (((performance.now() - began) / done) * (total - done)) / 1000 : null;
    const left = seconds === null || done === total ? "" : t("review.left", { n: Math.max(1, Math.round(seconds)) });
    progressText.textContent = `${t("review.progress", { done, total })}${left}`;
  }

  async function begin() {
    stop();
    const now = { id: null, close: null, stopped: false };
    const began = performance.now();
    run = now;
    onPlies(null);
    choices.hidden = true;
    broken.hidden = true;
    running.hidden = false;
    told({ done: 0, total: line.moves.length + 1 }, began);
    cancel.focus();
    try {
      const { game, board, moves, opening } = line;
      now.id = (
        await post("/api/reviews", { game, ...(board && { board }), moves, opening, engine: engine.value, ms: Number(time.value) })
      ).id;
    } catch (error) {
      if (!now.stopped) failed(error);
      return;
    }
    if (now.stopped) {
      post(`/api/reviews/${now.id}/stop`).catch(() => {});
      return;
    }
    now.close = events(`/api/reviews/${now.id}/events`, {
      review(data) {
        told(data, began);
        onPlies(data.plies, data.finished);
        if (!data.finished) return;
        now.id = null;
        stop();
        // The connection was lost for longer than the server waits.
        broken.hidden = !data.stopped;
        broken.textContent = t("review.interrupted", data);
        say(data.stopped ? broken.textContent : t("review.done"));
      },
      failed: (error) => now.stopped || failed(error),
    });
  }

  function failed(error) {
    stop();
    fail(error);
  }

  return {
    /** The present game; a running review continues with its own. */
    show(next) {
      line = next;
      if (!run) rest();
    },
    /** Counts the marks of each side; nothing is shown before the first. */
    summary(game, mistakes) {
      summary.hidden = !mistakes.length;
      walk.hidden = !mistakes.some((entry) => entry.mark);
      const sides = ["white", "black"];
      const of = (side) => mistakes.filter((entry) => entry.side === side);
      const row = (head, text) =>
        html(
          "tr",
          {},
          html("th", { scope: "row" }, ...head),
          ...sides.map((side) => html("td", { class: "number" }, text(of(side)))),
        );
      const rows = Object.entries(MARKS).map(([mark, name]) =>
        row([html("span", { class: `review-symbol ${mark}`, "aria-hidden": "true" }, SYMBOLS[mark]), t(name)], (moves) =>
          String(moves.filter((entry) => entry.mark === mark).length),
        ),
      );
      const mean = (moves) =>
        moves.length ? decimalPercent(moves.reduce((sum, entry) => sum + entry.loss, 0) / moves.length) : "–";
      rows.push(row([t("review.loss")], mean));
      summary.replaceChildren(
        html(
          "table",
          {},
          html("caption", { class: "unseen" }, t("review.bySide")),
          html(
            "thead",
            {},
            html(
              "tr",
              {},
              html("td"),
              ...sides.map((side) => html("th", { scope: "col", class: "number" }, sideName(game, side))),
            ),
          ),
          html("tbody", {}, ...rows),
        ),
      );
    },
    /** Stops a review; that it was interrupted is said no more. */
    end() {
      stop();
      broken.hidden = true;
    },
  };
}

/** Mean losses are small: one decimal. */
function decimalPercent(share) {
  return `${decimal(share * 100, 1)} %`;
}

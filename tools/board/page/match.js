// How a match stands: the players with their Elo, the test against its bounds, the pairs of games.
//
//   matchPanels(standing, scroll) → elements; `standing` is the event of /api/standings/events of a
//   match, and `scroll(id, table)` puts a wide table into a box of its own

import { decimal, plain, t } from "./language.js";
import { html } from "./svg.js";

/** The columns of the players; phones show the first ones, and scroll to the rest. */
const COLUMNS = ["rank", "name", "points", "elo", "played", "won", "drawn", "lost", "late", "illegal", "crashed"];

/** The points of a pair of games, from the first player's side. */
const PAIRS = ["0", "½", "1", "1½", "2"];

function cell(player, key) {
  if (key === "name") return html("th", { scope: "row", class: "name-cell", title: player.name }, player.name);
  const texts = {
    points: () => `${decimal(player.points, player.points % 1 ? 1 : 0)} / ${player.games}`,
    elo: () => (player.elo === null ? "–" : `${player.elo >= 0 ? "+" : "−"}${decimal(Math.abs(player.elo))} ± ${decimal(player.error)}`),
    played: () => String(player.games),
  };
  const text = texts[key]?.() ?? String(player[key]);
  return html("td", { class: key === "points" ? "number points" : "number" }, text);
}

function players({ players: list }, scroll) {
  const head = COLUMNS.map((key) => html("th", { scope: "col", class: key === "name" ? "name-cell" : "number" }, t(`standings.${key}`)));
  const rows = list.map((player) => html("tr", {}, ...COLUMNS.map((key) => cell(player, key))));
  return html(
    "section",
    { class: "panel", "aria-labelledby": "match-players" },
    html("h2", { id: "match-players" }, t("match.players")),
    scroll("match-players", html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows))),
  );
}

/** Where the log-likelihood ratio stands between the bounds at which the test decides. */
function test({ sprt, void: isVoid }) {
  const { llr, lower, upper, elo0, elo1, verdict } = sprt;
  const share = Math.min(1, Math.max(0, ((llr ?? 0) - lower) / (upper - lower)));
  const text = t("match.llr", { llr: llr === null ? "–" : decimal(llr, 2), lower: decimal(lower, 2), upper: decimal(upper, 2) });
  const mark = html("div", { class: "llr-mark" });
  mark.style.left = `${(100 * share).toFixed(1)}%`;
  const decided = isVoid ? t("match.void") : verdict ? t("match.accepted", { verdict }) : t("match.undecided");
  return html(
    "section",
    { class: "panel", "aria-labelledby": "match-test" },
    html("h2", { id: "match-test" }, t("match.test")),
    html("p", { class: "number" }, text),
    html("div", { class: "llr", role: "meter", "aria-label": t("match.meter"), "aria-valuemin": lower, "aria-valuemax": upper, "aria-valuenow": llr ?? 0, "aria-valuetext": text }, mark),
    html("p", { class: "quiet-text" }, t("match.hypotheses", { elo0: plain(elo0), elo1: plain(elo1) }), " ", html("strong", {}, decided)),
  );
}

function pairs({ pairs: counts, first }) {
  return html(
    "section",
    { class: "panel", "aria-labelledby": "match-pairs" },
    html("h2", { id: "match-pairs" }, t("match.pairs")),
    html(
      "table",
      { class: "match-pairs" },
      html("caption", { class: "quiet-text" }, t("match.pairsOf", { name: first })),
      html("thead", {}, html("tr", {}, ...PAIRS.map((points) => html("th", { scope: "col", class: "number" }, points)))),
      html("tbody", {}, html("tr", {}, ...counts.map((count) => html("td", { class: "number" }, String(count))))),
    ),
  );
}

export function matchPanels(standing, scroll) {
  return [players(standing, scroll), standing.sprt && test(standing), standing.pairs && pairs(standing)].filter(Boolean);
}

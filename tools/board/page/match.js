// How a match stands: the players with their Elo, the test against its bounds, both over the games,
// the pairs of games.
//
//   createMatch(scroll) → { panels(standing), end() }; `standing` is the event of a match of
//   /api/standings/events, and `scroll(id, table)` puts a wide table into a box of its own

import { createGraph, hasCurve } from "./graph.js";
import { decimal, plain, t } from "./language.js";
import { html } from "./svg.js";

/** The columns of the players; phones show the first ones, and scroll to the rest. */
const COLUMNS = ["rank", "name", "points", "elo", "played", "won", "drawn", "lost", "late", "illegal", "crashed"];

/** The points of a pair of games, from the first player's side. */
const PAIRS = ["0", "½", "1", "1½", "2"];

/** A number with its sign. */
const signed = (number, digits = 0) => `${number >= 0 ? "+" : "−"}${decimal(Math.abs(number), digits)}`;

const eloText = ({ elo, error }) => (elo === null ? "–" : `${signed(elo)} ± ${decimal(error)}`);

function cell(player, key) {
  if (key === "name") return html("th", { scope: "row", class: "name-cell", title: player.name }, player.name);
  const texts = {
    points: () => `${decimal(player.points, player.points % 1 ? 1 : 0)} / ${player.games}`,
    elo: () => eloText(player),
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

/** The scale of Elo: whole tens around all that is known, and none. */
function eloScale(bands) {
  const edges = [0, ...bands.filter(Boolean).flat()];
  const least = Math.floor(Math.min(...edges) / 10) * 10;
  const most = Math.max(Math.ceil(Math.max(...edges) / 10) * 10, least + 10);
  // Zero beside another label would lie on it.
  const apart = (most - least) / 8;
  const ticks = [least, 0, most].filter((value) => value || (Math.abs(least) > apart && most > apart) || !least || !most);
  return { least, most, middle: 0, ticks: [...new Set(ticks)].map((value) => [value, value ? signed(value) : "0"]) };
}

const llrScale = ({ lower, upper }) => ({
  least: lower,
  most: upper,
  middle: 0,
  ticks: [upper, 0, lower].map((value) => [value, value ? signed(value, 1) : "0"]),
});

/** The curves of Elo and of the test over the games. They stay from event to event. */
function createCurves() {
  let standing = null;
  let chosen = null; // the point that is looked at; null: the latest
  const choose = (k) => {
    chosen = k === standing.curve.length - 1 ? null : k;
    show(standing);
  };
  const box = html("div", { class: "match-curves" });
  const head = html("h2", { id: "match-curves" }, t("match.curves"));
  const element = html("section", { class: "panel", "aria-labelledby": "match-curves" }, head, box);
  const elo = createGraph(box, { onPly: choose, label: t("match.eloCurve") });
  const llr = createGraph(box, { onPly: choose, label: t("match.llrCurve") });

  function show(now) {
    standing = now;
    const { curve, sprt } = standing;
    const ply = Math.min(chosen ?? curve.length, curve.length - 1);
    const bands = curve.map((point) => (point.elo === null ? null : [point.elo - point.error, point.elo + point.error]));
    const games = (k) => t("match.games", { n: curve[k].games });
    const shared = { ply, number: (k) => curve[k].games };
    elo.show({ ...shared, values: curve.map((point) => point.elo), bands, scale: eloScale(bands), words: (k) => `${games(k)} · ${t("match.eloIs", { name: standing.first, elo: eloText(curve[k]) })}` });
    llr.element.hidden = !sprt;
    if (sprt) llr.show({ ...shared, values: curve.map((point) => point.llr), scale: llrScale(sprt), words: (k) => `${games(k)} · ${t("match.llrIs", { llr: decimal(curve[k].llr ?? 0, 2) })}` });
  }

  return {
    element,
    show,
    end() {
      elo.end();
      llr.end();
    },
  };
}

export function createMatch(scroll) {
  const curves = createCurves();
  return {
    panels(standing) {
      const drawn = standing.curve?.length && hasCurve(standing.curve.map((point) => point.elo ?? point.llr));
      if (drawn) curves.show(standing);
      return [players(standing, scroll), standing.sprt && test(standing), drawn && curves.element, standing.pairs && pairs(standing)].filter(Boolean);
    },
    end: curves.end,
  };
}

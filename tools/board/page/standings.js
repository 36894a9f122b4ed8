// The standings of a tournament as they come in: a table for each group, and the games below.
// What has changed since the last event is washed in colour for a moment and marked with an arrow.

import { outer } from "./api.js";
import { events } from "./streams.js";
import { t } from "./language.js";
import { matchPanels } from "./match.js";
import { html } from "./svg.js";
import { sideName, told } from "./words.js";

/** Points come early: phones show the first columns, and scroll to the rest. */
const COLUMNS = ["rank", "name", "points", "played", "won", "drawn", "lost", "home", "away", "late", "illegal", "crashed"];

/** The games of one player, or all. */
const EVERYBODY = "";

/** What makes a game's line new: another game there, or its result. */
const keyOf = (game, index) => `${game.number ?? index}:${game.white}:${game.black}:${game.result}`;

export function show(main, { say, fail }) {
  document.title = `${t("standings.title")} – Alesia`;
  const title = html("h1", {}, t("standings.title"));
  const played = html("p", { class: "quiet-text" }, t("standings.waiting"));
  const bar = html("progress", { hidden: true, "aria-label": t("standings.progress") });
  const groups = html("div", { class: "standings-groups" });
  const games = html("section", { class: "panel", hidden: true, "aria-labelledby": "games-title" });
  main.append(html("div", { class: "standings" }, html("div", { class: "standings-head" }, title, played, bar), groups, games));

  let before = null;
  let rules = null; // the name of the game
  let player = EVERYBODY;
  let byOpening = false;

  /** A box in which a wide table scrolls. */
  const scroll = (id, table, kind = "") =>
    html("div", { class: `standings-scroll ${kind}`, tabindex: "0", role: "group", "aria-labelledby": id }, table);

  function cell(row, old, key) {
    const changed = old && old[key] !== row[key];
    const attributes = {
      class: [key === "name" ? "name-cell" : "number", changed && "changed", key === "points" && "points"]
        .filter(Boolean)
        .join(" "),
    };
    if (key === "name") {
      const only = html("button", { type: "button", class: "quiet", "data-player": row.name, onclick: () => choose(row.name) }, row.name);
      return html("th", { scope: "row", title: t("standings.gamesOf", { name: row.name }), ...attributes }, only);
    }
    const element = html("td", attributes, String(row[key]));
    if (!row[key] && ["late", "illegal", "crashed"].includes(key)) element.classList.add("none");
    if (key === "rank" && changed) {
      const up = row.rank < old.rank;
      element.append(
        html("span", { class: "rank-arrow", "aria-hidden": "true" }, up ? " ↑" : " ↓"),
        html("span", { class: "unseen" }, t(up ? "standings.up" : "standings.down")),
      );
    }
    return element;
  }

  function table(group, several) {
    const heading = several ? t("standings.group", { n: group.number }) : t("standings.table");
    const old = before?.groups?.find((other) => other.number === group.number)?.rows ?? [];
    const rows = group.rows.map((row) => {
      const was = old.find((other) => other.name === row.name);
      return html("tr", {}, ...COLUMNS.map((key) => cell(row, was, key)));
    });
    const head = COLUMNS.map((key) => html("th", { scope: "col", class: key === "name" ? "name-cell" : "number" }, t(`standings.${key}`)));
    const id = `group-${group.number}`;
    return html(
      "section",
      { class: "panel", "aria-labelledby": id },
      html("h2", { id }, heading),
      scroll(id, html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows))),
    );
  }

  /** Lists the games of one player, and goes to them. */
  function choose(name) {
    player = player === name ? EVERYBODY : name;
    showGames(before.games);
    games.scrollIntoView({ block: "start" });
    games.querySelector("select").focus({ preventScroll: true });
  }

  /** What the list of games shows: of whom, and in what order. */
  function choices(list) {
    const names = [...new Set(list.flatMap(({ white, black }) => [white, black]))].sort();
    const option = (value, text, chosen) => html("option", { value, selected: chosen }, text);
    const of = html(
      "select",
      { "aria-label": t("standings.player"), onchange: () => ((player = of.value), showGames(before.games)) },
      option(EVERYBODY, t("standings.everybody"), player === EVERYBODY),
      ...names.map((name) => option(name, name, name === player)),
    );
    const order = html(
      "select",
      { "aria-label": t("standings.order"), onchange: () => ((byOpening = order.value === "opening"), showGames(before.games)) },
      option("newest", t("standings.newestFirst"), !byOpening),
      option("opening", t("standings.byOpening"), byOpening),
    );
    order.hidden = !list.some(({ opening }) => opening);
    return html("div", { class: "standings-choices" }, of, order);
  }

  /** The numbered games to show: the newest first, or those with the same opening together. */
  function arranged(list) {
    const numbered = list.map((game, index) => [game, index]).filter(([{ white, black }]) => !player || player === white || player === black);
    if (byOpening) return numbered.sort(([one, i], [other, k]) => (one.opening < other.opening ? -1 : one.opening > other.opening ? 1 : i - k));
    // What has just happened.
    return numbered.reverse();
  }

  function showGames(list) {
    games.hidden = !list.length;
    const known = new Set(before?.games.map(keyOf));
    const openings = list.some(({ opening }) => opening);
    const rows = arranged(list)
      .map(([game, index]) => {
        const number = game.number ?? index + 1;
        const fresh = before && !known.has(keyOf(game, index));
        const look = game.id
          ? html(
              "a",
              {
                href: outer(`/game/${encodeURIComponent(game.id)}`),
                "aria-label": t("standings.viewGame", { n: number, white: game.white, black: game.black }),
              },
              t("standings.view"),
            )
          : null;
        return html(
          "tr",
          { class: fresh ? "changed" : null },
          html("td", { class: "number" }, String(number)),
          html("td", { class: "name-cell", title: game.white }, game.white),
          html("td", { class: "result-cell" }, game.result ?? "–"),
          html("td", { class: "name-cell", title: game.black }, game.black),
          html("td", {}, told(rules, game.reason ?? "")),
          html("td", { class: "number" }, String(game.plies ?? "")),
          openings ? html("td", { class: "opening-cell", title: game.opening }, game.opening) : null,
          html("td", {}, look),
        );
      });
    const names = [
      ["number", t("standings.number")],
      ["name-cell", sideName(rules, "white")],
      ["result-cell", t("standings.result")],
      ["name-cell", sideName(rules, "black")],
      [null, t("standings.reason")],
      ["number", t("standings.plies")],
      ...(openings ? [[null, t("standings.opening")]] : []),
    ];
    const head = names.map(([kind, name]) => html("th", { scope: "col", class: kind }, name));
    games.replaceChildren(
      html("h2", { id: "games-title" }, t("standings.games")),
      choices(list),
      scroll("games-title", html("table", {}, html("thead", {}, html("tr", {}, ...head, html("td"))), html("tbody", {}, ...rows)), "games"),
    );
  }

  /** Replaces what is shown, but keeps where it was scrolled to and what had the focus. */
  function take(now) {
    rules = now.game;
    const places = [...main.querySelectorAll(".standings-scroll")].map((box) => [box.scrollLeft, box.scrollTop]);
    const focusable = ".standings-scroll, a, select, button";
    const focused = [...main.querySelectorAll(focusable)].indexOf(document.activeElement);
    const link = document.activeElement?.getAttribute?.("href");
    title.textContent = now.title || t("standings.title");
    document.title = `${title.textContent} – Alesia`;
    played.textContent =
      t(now.played === now.of ? "standings.all" : "standings.some", { played: now.played, of: now.of });
    bar.hidden = !now.of;
    bar.max = now.of || 1;
    bar.value = now.played;
    const panels = now.kind === "match" ? matchPanels(now, scroll) : now.groups.map((group) => table(group, now.groups.length > 1));
    groups.replaceChildren(...panels);
    showGames(now.games);
    [...main.querySelectorAll(".standings-scroll")].forEach((box, k) => places[k] && box.scrollTo(...places[k]));
    if (focused >= 0) {
      const same = link
        ? main.querySelector(`a[href="${CSS.escape(link)}"]`)
        : main.querySelectorAll(focusable)[focused];
      same?.focus({ preventScroll: true });
    }
    if (before && now.played > before.played) say(newest(now));
    before = now;
  }

  function newest({ games: list }) {
    const game = list.at(-1);
    return game ? t("standings.newest", { white: game.white, black: game.black, result: game.result, reason: told(rules, game.reason ?? "") }) : "";
  }

  return events("/api/standings/events", {
    standings: take,
    failed(error) {
      played.textContent = t(error.status === 404 ? "standings.noTournament" : "standings.none");
      if (error.status !== 404) fail(error);
    },
  });
}

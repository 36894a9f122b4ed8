// The standings of a tournament as they come in: a table for each group, and the games below.
// What has changed since the last event is washed in colour for a moment and marked with an arrow.
// Rows, buttons and links stay from event to event.

import { outer } from "./api.js";
import { events } from "./streams.js";
import { t } from "./language.js";
import { createMatch } from "./match.js";
import { arrange, html } from "./svg.js";
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

  let before = null;
  let rules = null; // the name of the game
  let player = EVERYBODY;
  let byOpening = false;
  /** What is kept of the groups' tables, by keys. */
  const kept = new Map();
  /** The rows of the games by their keys: {row, drawn, look}. */
  let rows = new Map();

  /** A box in which a wide table scrolls. */
  const scroll = (id, table, kind = "") =>
    html("div", { class: `standings-scroll ${kind}`, tabindex: "0", role: "group", "aria-labelledby": id }, table);

  const of = html("select", { "aria-label": t("standings.player"), onchange: () => ((player = of.value), showGames(before.games)) });
  const order = html(
    "select",
    { "aria-label": t("standings.order"), onchange: () => ((byOpening = order.value === "opening"), showGames(before.games)) },
    html("option", { value: "newest" }, t("standings.newestFirst")),
    html("option", { value: "opening" }, t("standings.byOpening")),
  );
  const gamesHead = html("thead", {});
  const gamesBody = html("tbody", {});
  const games = html(
    "section",
    { class: "panel", hidden: true, "aria-labelledby": "games-title" },
    html("h2", { id: "games-title" }, t("standings.games")),
    html("div", { class: "standings-choices" }, of, order),
    scroll("games-title", html("table", {}, gamesHead, gamesBody), "games"),
  );
  main.append(html("div", { class: "standings" }, html("div", { class: "standings-head" }, title, played, bar), groups, games));

  const match = createMatch(scroll);

  function keep(key, make) {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key);
  }

  function nameCell(name) {
    const only = html("button", { type: "button", class: "quiet", "data-player": name, onclick: () => choose(name) }, name);
    return html("th", { class: "name-cell", scope: "row", title: t("standings.gamesOf", { name }) }, only);
  }

  function cell(row, old, key) {
    const changed = old && old[key] !== row[key];
    const names = ["number", changed && "changed", key === "points" && "points"].filter(Boolean);
    const element = html("td", { class: names.join(" ") }, String(row[key]));
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

  /** The frame of a group's table, without its rows. */
  function frame(id) {
    const head = COLUMNS.map((key) => html("th", { scope: "col", class: key === "name" ? "name-cell" : "number" }, t(`standings.${key}`)));
    const heading = html("h2", { id });
    const body = html("tbody", {});
    const whole = html("table", {}, html("thead", {}, html("tr", {}, ...head)), body);
    return { heading, body, section: html("section", { class: "panel", "aria-labelledby": id }, heading, scroll(id, whole)) };
  }

  function table(group, several) {
    const id = `group-${group.number}`;
    const { section, heading, body } = keep(id, () => frame(id));
    heading.textContent = several ? t("standings.group", { n: group.number }) : t("standings.table");
    const old = before?.groups?.find((other) => other.number === group.number)?.rows ?? [];
    const lines = group.rows.map((row) => {
      const was = old.find((other) => other.name === row.name);
      const { line, name } = keep(`${id} ${row.name}`, () => ({ line: html("tr", {}), name: nameCell(row.name) }));
      arrange(line, COLUMNS.map((key) => (key === "name" ? name : cell(row, was, key))));
      return line;
    });
    arrange(body, lines);
    return section;
  }

  /** Lists the games of one player, and goes to them. */
  function choose(name) {
    player = player === name ? EVERYBODY : name;
    showGames(before.games);
    games.scrollIntoView({ block: "start" });
    of.focus({ preventScroll: true });
  }

  /** The names to choose from; an open list closes when its entries are replaced. */
  function offer(list) {
    const names = [EVERYBODY, ...[...new Set([...list.flatMap(({ white, black }) => [white, black]), player])].filter(Boolean).sort()];
    const offered = [...of.options].map(({ value }) => value);
    if (JSON.stringify(names) !== JSON.stringify(offered)) {
      of.replaceChildren(...names.map((name) => html("option", { value: name }, name || t("standings.everybody"))));
    }
    of.value = player;
    order.hidden = !list.some(({ opening }) => opening);
  }

  /** The numbered games to show: the newest first, or those with the same opening together. */
  function arranged(list) {
    const numbered = list.map((game, index) => [game, index]).filter(([{ white, black }]) => !player || player === white || player === black);
    if (byOpening) return numbered.sort(([one, i], [other, k]) => (one.opening < other.opening ? -1 : one.opening > other.opening ? 1 : i - k));
    // What has just happened.
    return numbered.reverse();
  }

  /** Fills the row of a game; its link stays, unless it leads elsewhere. */
  function fillRow(entry, game, number, openings) {
    const drawn = JSON.stringify([game, number, openings]);
    if (entry.drawn === drawn) return;
    entry.drawn = drawn;
    if (entry.look?.dataset.id !== game.id) {
      const label = t("standings.viewGame", { n: number, white: game.white, black: game.black });
      const link = game.id ? html("a", { href: outer(`/game/${encodeURIComponent(game.id)}`), "aria-label": label }, t("standings.view")) : null;
      entry.look = html("td", { "data-id": game.id }, link);
    }
    const cells = [
      html("td", { class: "number" }, String(number)),
      html("td", { class: "name-cell", title: game.white }, game.white),
      html("td", { class: "result-cell" }, game.result ?? "–"),
      html("td", { class: "name-cell", title: game.black }, game.black),
      html("td", {}, told(rules, game.reason ?? "")),
      html("td", { class: "number" }, String(game.plies ?? "")),
      openings ? html("td", { class: "opening-cell", title: game.opening }, game.opening) : null,
      entry.look,
    ];
    arrange(entry.row, cells.filter(Boolean));
  }

  function headOf(openings) {
    const names = [
      ["number", t("standings.number")],
      ["name-cell", sideName(rules, "white")],
      ["result-cell", t("standings.result")],
      ["name-cell", sideName(rules, "black")],
      [null, t("standings.reason")],
      ["number", t("standings.plies")],
      ...(openings ? [[null, t("standings.opening")]] : []),
    ];
    return html("tr", {}, ...names.map(([kind, name]) => html("th", { scope: "col", class: kind }, name)), html("td"));
  }

  function showGames(list) {
    games.hidden = !list.length;
    offer(list);
    const known = new Set(before?.games.map(keyOf));
    const openings = list.some(({ opening }) => opening);
    const next = new Map();
    list.forEach((game, index) => {
      const key = String(game.id ?? game.number ?? index);
      // Two games of one key would fight for the row.
      const own = next.has(key) ? `${key} ${index}` : key;
      const entry = rows.get(own) ?? { row: html("tr", {}), drawn: "", look: null };
      fillRow(entry, game, game.number ?? index + 1, openings);
      entry.row.classList.toggle("changed", Boolean(before) && !known.has(keyOf(game, index)));
      next.set(own, entry);
    });
    rows = next;
    const all = [...next.values()];
    gamesHead.replaceChildren(headOf(openings));
    arrange(gamesBody, arranged(list).map(([, index]) => all[index].row));
  }

  /** The panels of a match are made anew but for the curves; scrolling and focus are kept. */
  function showMatch(now) {
    const old = groups.querySelector(".standings-scroll");
    const focused = old !== null && document.activeElement === old;
    const place = old && [old.scrollLeft, old.scrollTop];
    arrange(groups, match.panels(now));
    const box = groups.querySelector(".standings-scroll");
    if (place) box?.scrollTo(...place);
    if (focused) box?.focus({ preventScroll: true });
  }

  function take(now) {
    rules = now.game;
    title.textContent = now.title || t("standings.title");
    document.title = `${title.textContent} – Alesia`;
    played.textContent =
      t(now.played === now.of ? "standings.all" : "standings.some", { played: now.played, of: now.of });
    bar.hidden = !now.of;
    bar.max = now.of || 1;
    bar.value = now.played;
    if (now.kind === "match") showMatch(now);
    else arrange(groups, now.groups.map((group) => table(group, now.groups.length > 1)));
    showGames(now.games);
    if (before && now.played > before.played) say(newest(now));
    before = now;
  }

  function newest({ games: list }) {
    const game = list.at(-1);
    return game ? t("standings.newest", { white: game.white, black: game.black, result: game.result, reason: told(rules, game.reason ?? "") }) : "";
  }

  const close = events("/api/standings/events", {
    standings: take,
    failed(error) {
      played.textContent = t(error.status === 404 ? "standings.noTournament" : "standings.none");
      if (error.status !== 404) fail(error);
    },
  });
  return () => {
    close();
    match.end();
  };
}

// The standings of a tournament as they come in: a table for each group, and the games below.
// What has changed since the last event is washed in colour for a moment and marked with an arrow.

import { events } from "./streams.js";
import { fromServer, t } from "./language.js";
import { html } from "./svg.js";

/** Points come early: phones show the first columns, and scroll to the rest. */
const COLUMNS = ["rank", "name", "points", "played", "won", "drawn", "lost", "home", "away", "late", "illegal", "crashed"];

/** What makes a game's line new: another game there, or its result. */
const keyOf = (game, index) => `${game.id ?? index}:${game.white}:${game.black}:${game.result}`;

export function show(main, { say, fail }) {
  document.title = `${t("standings.title")} – Alesia`;
  const title = html("h1", {}, t("standings.title"));
  const played = html("p", { class: "quiet-text" }, t("standings.waiting"));
  const bar = html("progress", { hidden: true, "aria-label": t("standings.progress") });
  const groups = html("div", { class: "standings-groups" });
  const games = html("section", { class: "panel", hidden: true, "aria-labelledby": "games-title" });
  main.append(html("div", { class: "standings" }, html("div", { class: "standings-head" }, title, played, bar), groups, games));

  let before = null;

  function cell(row, old, key) {
    const changed = old && old[key] !== row[key];
    const attributes = {
      class: [key === "name" ? "name-cell" : "number", changed && "changed", key === "points" && "points"]
        .filter(Boolean)
        .join(" "),
    };
    if (key === "name") return html("th", { scope: "row", title: row.name, ...attributes }, row.name);
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
    const old = before?.groups.find((other) => other.number === group.number)?.rows ?? [];
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
      html(
        "div",
        { class: "standings-scroll", tabindex: "0", role: "group", "aria-labelledby": id },
        html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)),
      ),
    );
  }

  function showGames(list) {
    games.hidden = !list.length;
    const known = new Set(before?.games.map(keyOf));
    // The newest first: that is what has just happened.
    const rows = list
      .map((game, index) => {
        const fresh = before && !known.has(keyOf(game, index));
        const look = game.id
          ? html(
              "a",
              {
                href: `/game/${encodeURIComponent(game.id)}`,
                "aria-label": t("standings.viewGame", { n: index + 1, white: game.white, black: game.black }),
              },
              t("standings.view"),
            )
          : null;
        return html(
          "tr",
          { class: fresh ? "changed" : null },
          html("td", { class: "number" }, String(index + 1)),
          html("td", { class: "name-cell", title: game.white }, game.white),
          html("td", { class: "result-cell" }, game.result ?? "–"),
          html("td", { class: "name-cell", title: game.black }, game.black),
          html("td", {}, fromServer(game.reason ?? "")),
          html("td", { class: "number" }, String(game.plies ?? "")),
          html("td", {}, look),
        );
      })
      .reverse();
    const names = [
      ["number", t("standings.number")],
      ["name-cell", t("side.white")],
      ["result-cell", t("standings.result")],
      ["name-cell", t("side.black")],
      [null, t("standings.reason")],
      ["number", t("standings.plies")],
    ];
    const head = names.map(([kind, name]) => html("th", { scope: "col", class: kind }, name));
    games.replaceChildren(
      html("h2", { id: "games-title" }, t("standings.games")),
      html(
        "div",
        { class: "standings-scroll games", tabindex: "0", role: "group", "aria-labelledby": "games-title" },
        html("table", {}, html("thead", {}, html("tr", {}, ...head, html("td"))), html("tbody", {}, ...rows)),
      ),
    );
  }

  /** Replaces what is shown, but keeps where it was scrolled to and what had the focus. */
  function take(now) {
    const places = [...main.querySelectorAll(".standings-scroll")].map((box) => [box.scrollLeft, box.scrollTop]);
    const focused = [...main.querySelectorAll(".standings-scroll, a")].indexOf(document.activeElement);
    const link = document.activeElement?.getAttribute?.("href");
    title.textContent = now.title || t("standings.title");
    document.title = `${title.textContent} – Alesia`;
    played.textContent =
      t(now.played === now.of ? "standings.all" : "standings.some", { played: now.played, of: now.of });
    bar.hidden = !now.of;
    bar.max = now.of || 1;
    bar.value = now.played;
    groups.replaceChildren(...now.groups.map((group) => table(group, now.groups.length > 1)));
    showGames(now.games);
    [...main.querySelectorAll(".standings-scroll")].forEach((box, k) => places[k] && box.scrollTo(...places[k]));
    if (focused >= 0) {
      const same = link
        ? main.querySelector(`a[href="${CSS.escape(link)}"]`)
        : main.querySelectorAll(".standings-scroll")[focused];
      same?.focus({ preventScroll: true });
    }
    if (before && now.played > before.played) say(newest(now));
    before = now;
  }

  function newest({ games: list }) {
    const game = list.at(-1);
    return game ? t("standings.newest", { white: game.white, black: game.black, result: game.result, reason: fromServer(game.reason ?? "") }) : "";
  }

  return events("/api/standings/events", {
    standings: take,
    failed(error) {
      played.textContent = t(error.status === 404 ? "standings.noTournament" : "standings.none");
      if (error.status !== 404) fail(error);
    },
  });
}

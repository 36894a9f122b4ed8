// The first view: the games as cards, those that are played now, and the form for a new one.

import { arrange, html } from "./svg.js";
import { keepSeats, local, outer, post, rulesOf, seats } from "./api.js";
import { events } from "./streams.js";
import { miniBoard } from "./mini.js";
import { createGameCards } from "./lobby-cards.js";
import { newGameForm, rememberedName } from "./newgame.js";
import { fromServer, t } from "./language.js";
import { isKnown } from "./variants.js";
import { sideName, seatName, resultText, sourceName, titleOf } from "./words.js";

export function show(main, context) {
  document.title = t("lobby.title");
  const grid = html("ul", { class: "cards", "data-games": "" });
  const empty = html("p", { class: "quiet-text" }, t("lobby.empty"));
  const projector = html("p", { class: "lobby-show", hidden: Boolean(local) }, html("a", { href: outer("/show") }, t("show.title")));
  const form = newGameForm(context);
  const gameCards = createGameCards(context);
  const cards = new Map();
  main.append(
    html(
      "div",
      { class: context.query.has("new") ? "lobby form-first" : "lobby" },
      gameCards.element,
      html("section", { class: "lobby-games" }, html("h1", {}, t("lobby.games")), empty, grid, projector),
      html("aside", { class: "lobby-form" }, form),
    ),
  );
  if (context.query.has("new")) {
    requestAnimationFrame(() => [...form.querySelectorAll("select")].find((choice) => choice.checkVisibility()).focus());
  }

  /** Games of definitions that are new to this page. */
  const asked = new Set();
  let ended = false;

  /** Asks for the pieces of a variant, and then draws its cards anew. */
  async function ask(game) {
    if (asked.has(game)) return;
    asked.add(game);
    try {
      await rulesOf(context.rules, game);
    } catch (error) {
      // The cards show letters then, until a later event asks again.
      if (!(error.status < 500)) asked.delete(game);
      return;
    }
    for (const card of cards.values()) card.key = "";
    if (latest && !ended) update(latest);
  }

  let latest = null;

  /** Cards are kept from event to event: the focus stays where it is, and a click begun is one. */
  function update(event) {
    const { games, standings } = event;
    latest = event;
    document.dispatchEvent(new CustomEvent("standings", { detail: standings }));
    empty.hidden = games.length > 0;
    const names = new Set(games.map((game) => game.id));
    for (const { game } of games) if (!isKnown(game)) ask(game);
    for (const id of cards.keys()) if (!names.has(id)) cards.delete(id);
    for (const game of games) {
      const key = JSON.stringify(game);
      if (!cards.has(game.id)) cards.set(game.id, createCard(game));
      const card = cards.get(game.id);
      if (card.key !== key) fillCard(card, game);
      card.key = key;
    }
    arrange(grid, games.map((game) => cards.get(game.id).element));
  }

  /** The parts of a card that stay, as a person may be pressing or reading them. */
  function createCard({ id }) {
    const url = outer(`/game/${id}`);
    const board = html("a", { class: "card-board", href: url, tabindex: -1, "aria-hidden": "true" });
    const text = html("div", { class: "card-text" });
    const actions = html("div", { class: "card-actions" });
    const open = html("a", { class: "button", href: url, "data-action": "open" });
    const element = html("li", { class: "card panel", "data-game-id": id }, board, text);
    return { element, board, text, actions, open, joins: {}, key: "" };
  }

  /** The button that takes an open seat. */
  function joinButton(card, game, side) {
    const make = () => {
      const words = t("lobby.join", { side: sideName(game.game, side) });
      return html("button", { type: "button", class: "main", "data-action": `join-${side}`, onclick: () => joinGame(context, game.id, side) }, words);
    };
    return (card.joins[side] ??= make());
  }

  function fillCard(card, game) {
    const title = titleOf(context.rules, game.game);
    const mine = Object.keys(seats(game.id)).length > 0;
    const from = fromServer(game.title) || sourceName(game.source);
    const meta = [t("lobby.plies", { n: game.plies })];
    if (game.listeners) meta.push(t("lobby.connected", { n: game.listeners }));
    if (from) meta.unshift(from);
    const word = t(mine && !game.result ? "lobby.continue" : game.result ? "lobby.view" : "lobby.watch");
    const names = { white: seatName(game.game, "white", game.white), black: seatName(game.game, "black", game.black) };
    card.open.setAttribute("aria-label", t("lobby.opens", { word, title, ...names }));
    card.open.textContent = word;
    const joins = mine || game.result ? [] : game.open.map((side) => joinButton(card, game, side));
    arrange(card.actions, [...joins, card.open]);
    card.board.replaceChildren(miniBoard(game.game, game.rows));
    const lines = [
      html("h2", {}, title),
      player(game, "white"),
      player(game, "black"),
      html("p", { class: game.result ? "card-state over" : "card-state" }, stateOf(game)),
      html("p", { class: "quiet-text card-meta" }, meta.join(" · ")),
    ];
    arrange(card.text, [...lines, card.actions]);
  }

  function stateOf(game) {
    if (game.result) return resultText(game.game, game.result);
    if (game.open.length === 1) return t("phase.onePlayer");
    if (game.phase !== "playing") return t(`phase.${game.phase}`);
    return t("status.toMove", { side: sideName(game.game, game.side) });
  }

  function player(game, side) {
    const open = game.open.includes(side);
    const turn = game.phase === "playing" && game.side === side;
    return html(
      "p",
      { class: turn ? "card-player turn" : "card-player" },
      html("span", { class: `side-dot ${side} ${game.game}`, "aria-hidden": "true" }),
      html("span", { class: "unseen" }, `${sideName(game.game, side)}: `),
      html("span", { class: open ? "quiet-text" : "" }, open ? t("lobby.openSeat") : seatName(game.game, side, game[side])),
    );
  }

  const close = events("/api/lobby/events", { lobby: update, failed: context.fail });
  return () => {
    ended = true;
    gameCards.end();
    close();
  };
}

/** Takes an open seat and goes to the game. */
export async function joinGame(context, id, side) {
  const name = rememberedName();
  try {
    const seat = await post(`/api/games/${id}/join`, name ? { side, name } : { side });
    keepSeats(id, { [seat.side]: seat.token });
    context.navigate(`/game/${id}`);
  } catch (error) {
    context.fail(error);
  }
}

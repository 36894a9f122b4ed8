// A new game from a position of another one, of the rules or of an analysis. The form for a new
// game gets it in its address, as a board, moves or both:
//
// /?new&game=murus&board=…&moves=G4,NE+A2,S
//
// createHereLink() → { element, show({game, board, moves}) }: the link that leads there
// createOrigin({context, wish, onKnown}) → the part of the form that shows the position

import { queryOf } from "./analyse-link.js";
import { outer, post, rulesOf } from "./api.js";
import { bookWords } from "./book-moves.js";
import { t } from "./language.js";
import { miniBoard } from "./mini.js";
import { html } from "./svg.js";
import { sideName, titleOf } from "./words.js";

/** A link to the form with a position; `show` takes {game, board, moves}, and null where there is none. */
export function createHereLink() {
  const element = html("a", { class: "button", "data-action": "here", hidden: true }, t("here.play"));
  return {
    element,
    show(from) {
      const query = from && queryOf({ ...from, moves: from.moves.join(" ") });
      element.hidden = !query;
      if (query) element.href = outer(`/?new&${query}`);
    },
  };
}

/** What the address of the form asks for: {game, board?, moves}, or null. */
export function readOrigin(query) {
  const [game, board] = ["game", "board"].map((name) => query.get(name) ?? undefined);
  return game ? { game, board, moves: (query.get("moves") ?? "").split(/\s+/).filter(Boolean) } : null;
}

/** The position of a wish as a picture and in words; `onKnown(now, result)` says what the rules make of it. */
export function createOrigin({ context, wish, onKnown }) {
  const picture = html("div", { class: "origin-board" });
  const words = html("p", {});
  const book = html("p", { class: "quiet-text" });
  const usual = html("a", { href: outer("/?new") }, t("here.usual"));

  async function draw() {
    try {
      const [, { now, result, book: known }] = await Promise.all([rulesOf(context.rules, wish.game), post("/api/positions", wish)]);
      picture.replaceChildren(miniBoard(wish.game, now.rows));
      const turn = t(result ? "here.over" : "status.toMove", { side: sideName(wish.game, now.side) });
      words.textContent = [titleOf(context.rules, wish.game), t("graph.ply", { ply: now.ply }), turn].join(" · ");
      book.textContent = bookWords(known);
      onKnown(now, result);
    } catch (error) {
      context.fail(error, wish.game);
    }
  }

  draw();
  return html("div", { class: "origin", "data-origin": wish.game }, picture, html("div", {}, words, book, usual));
}

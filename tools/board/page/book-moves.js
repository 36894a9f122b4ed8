// What the opening book knows of a position: its moves, the best first, which a click plays.
//
//   createBookMoves(container, {onPlay}) → { show(moves) }
//   bookWords(moves) → the same as a sentence; empty where the book does not have the position
//
// `moves` is the `book` of POST /api/positions; none where that is not known yet.

import { t } from "./language.js";
import { html } from "./svg.js";
import { percent, written } from "./words.js";

export const bookWords = (moves = []) => (moves.length ? t("book.words", { moves: moves.map(written).join("\u2002") }) : "");

export function createBookMoves(container, { onPlay }) {
  const list = html("ul", { class: "book-list" });
  const element = html("div", { class: "book-moves", hidden: true }, html("h3", {}, t("book.title")), list);
  container.append(element);

  const entry = (move) =>
    html(
      "li",
      {},
      html("button", { type: "button", class: "line-move", onclick: () => onPlay(move) }, written(move)),
      html("span", { class: "number quiet-text" }, t("thought.value", { value: percent(move.value) })),
    );

  return {
    show(moves = []) {
      element.hidden = !moves.length;
      list.replaceChildren(...moves.map(entry));
    },
  };
}

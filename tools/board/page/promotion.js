// The question which piece a pawn becomes: a small modal dialog with a button for each.

import { html } from "./svg.js";
import { t } from "./language.js";
import { pieceIcon } from "./pieces.js";
import { kindName, pieceOf } from "./words.js";

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Asks for one of the moves, which differ in their promotion; null if the person changes their mind. */
export function askPromotion(container, game, side, moves) {
  return new Promise((resolve) => {
    let chosen = null;
    const dialog = html("dialog", { class: "promotion", "aria-label": t("promotion.title") });
    const button = (move, letter, ...content) => {
      const take = () => {
        chosen = move;
        dialog.close();
      };
      return html("button", { type: "button", "data-promotion": letter, onclick: take }, ...content);
    };
    const choices = moves.map((move) => {
      if (!move.promotion) return button(move, "-", t("promotion.none"));
      const letter = side === "white" ? move.promotion : move.promotion.toLowerCase();
      return button(move, move.promotion, pieceIcon(game, letter), capital(kindName(pieceOf(game, letter))));
    });
    dialog.append(
      html("h2", {}, t("promotion.title")),
      html("div", { class: "promotion-choices" }, ...choices),
      html("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("cancel")),
    );
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    container.append(dialog);
    dialog.showModal();
  });
}

// The question which piece a pawn becomes: a small modal dialog with a button for each.

import { html } from "./svg.js";
import { t } from "./language.js";
import { pieceIcon } from "./pieces.js";

const PIECES = ["R", "B", "N", "V"];

/** Asks for one of the promotion moves; null if the person changes their mind. */
export function askPromotion(container, game, side, moves) {
  return new Promise((resolve) => {
    let chosen = null;
    const dialog = html("dialog", { class: "promotion", "aria-label": t("promotion.title") });
    const choices = html("div", { class: "promotion-choices" });
    for (const letter of PIECES) {
      const move = moves.find((candidate) => candidate.promotion === letter);
      if (!move) continue;
      const icon = pieceIcon(game, side === "white" ? letter : letter.toLowerCase());
      const take = () => {
        chosen = move;
        dialog.close();
      };
      choices.append(html("button", { type: "button", "data-promotion": letter, onclick: take }, icon, t(`promotion.${letter}`)));
    }
    dialog.append(
      html("h2", {}, t("promotion.title")),
      choices,
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

// The question which piece a pawn becomes: a small modal dialog with a button for each.

import { html } from "./svg.js";
import { pieceIcon } from "./pieces.js";

const NAMES = { R: "Rook", B: "Bishop", N: "Knight", V: "Voidrider" };

/** Asks for one of the promotion moves; null if the person changes their mind. */
export function askPromotion(container, game, side, moves) {
  return new Promise((resolve) => {
    let chosen = null;
    const dialog = html("dialog", { class: "promotion", "aria-label": "The pawn becomes" });
    const choices = html("div", { class: "promotion-choices" });
    for (const letter of Object.keys(NAMES)) {
      const move = moves.find((candidate) => candidate.promotion === letter);
      if (!move) continue;
      const icon = pieceIcon(game, side === "white" ? letter : letter.toLowerCase());
      const take = () => {
        chosen = move;
        dialog.close();
      };
      choices.append(html("button", { type: "button", "data-promotion": letter, onclick: take }, icon, NAMES[letter]));
    }
    dialog.append(
      html("h2", {}, "The pawn becomes"),
      choices,
      html("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
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

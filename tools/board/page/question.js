// A question about a game with the answers yes and no, in a dialog: is it to be given up, or
// cancelled?
//
//   createQuestion(main) → { ask({name, text, yes, no, phase}, onYes), drop(phase) }
//
// `phase` is that of the game. A question about a game that waits is none about one that has begun:
// `drop` closes what was asked in another phase.

import { html } from "./svg.js";

export function createQuestion(main) {
  let open = null; // {dialog, phase}: the last one

  return {
    ask({ name, text, yes, no, phase }, onYes) {
      const dialog = html("dialog", { class: "confirm", "aria-label": yes });
      const sure = html("button", { type: "button", class: "danger", "data-action": `${name}-yes` }, yes);
      sure.addEventListener("click", () => {
        dialog.close();
        onYes();
      });
      const not = html("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, no);
      dialog.append(html("p", {}, text), html("div", { class: "dialog-buttons" }, not, sure));
      dialog.addEventListener("close", () => dialog.remove());
      main.append(dialog);
      dialog.showModal();
      open = { dialog, phase };
    },
    drop(phase) {
      if (open && open.phase !== phase) open.dialog.close();
    },
  };
}

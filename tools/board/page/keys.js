// The keys of the page, in a dialog that `?` opens.

import { t } from "./language.js";
import { html } from "./svg.js";

/** Where keys work, and what they do there: [place, [[keys, meaning]…]], as keys of the dictionary. */
const KEYS = [
  ["keys.page", [["keys.question", "keys.help"]]],
  ["keys.board", [["keys.arrows", "keys.cells"], ["keys.homeEnd", "keys.row"], ["keys.enter", "keys.choose"], ["keys.escape", "keys.drop"]]],
  ["keys.game", [["keys.leftRight", "keys.step"], ["keys.homeEnd", "keys.ends"]]],
  ["keys.analysis", [["keys.leftRight", "keys.step"], ["keys.homeEnd", "keys.ends"], ["keys.upDown", "keys.variations"], ["keys.delete", "keys.remove"]]],
  ["keys.graph", [["keys.arrows", "keys.step"], ["keys.homeEnd", "keys.ends"], ["keys.pages", "keys.ten"]]],
];

export function showKeys() {
  if (document.querySelector("dialog:modal")) return;
  const rows = KEYS.flatMap(([place, keys]) =>
    keys.map(([key, meaning], k) =>
      html(
        "tr",
        {},
        k === 0 ? html("th", { scope: "rowgroup", rowspan: keys.length }, t(place)) : null,
        html("td", {}, html("kbd", {}, t(key))),
        html("td", {}, t(meaning)),
      ),
    ),
  );
  const close = html("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, t("close"));
  const dialog = html(
    "dialog",
    { class: "keys", "aria-labelledby": "keys-title" },
    html("h2", { id: "keys-title" }, t("keys.title")),
    html("table", {}, html("tbody", {}, ...rows)),
    html("div", { class: "dialog-buttons" }, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Opens the dialog at `?`, unless a person is writing. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog")) return;
    event.preventDefault();
    showKeys();
  });
}

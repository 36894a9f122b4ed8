// What a person writes to a move of the analysis: a comment and a mark. They stand in the list of
// moves, stay with the page, and are part of its PGN and SGF.
//
//   createNotes(container, {onChange, onDone}) → { show(node) }
//   noteText(note) → "!? A good try", empty where nothing is written
//
// A node's `note` is {mark, comment} or null; `mark` is the code of PGN, 1 to 6, or 0.
// `onChange(node)` hears every letter, `onDone()` that a mark is set or a comment is left.

import { t } from "./language.js";
import { html } from "./svg.js";

/** The marks by their codes. */
export const NOTE_MARKS = ["", "!", "?", "!!", "??", "!?", "?!"];
/** Max characters that are read again. */
const LONGEST = 2000;

export const noteText = (note) => (note ? [NOTE_MARKS[note.mark], note.comment].filter(Boolean).join(" ") : "");

export function createNotes(container, { onChange, onDone }) {
  const buttons = NOTE_MARKS.slice(1).map((symbol, k) =>
    html("button", { type: "button", "aria-pressed": "false", "aria-label": t(`notes.mark${k + 1}`), title: t(`notes.mark${k + 1}`), onclick: () => judge(k + 1) }, symbol),
  );
  const text = html("textarea", { id: "note-comment", rows: 2, maxlength: LONGEST, placeholder: t("notes.comment"), "aria-label": t("notes.comment"), oninput: () => write({ comment: text.value }), onchange: onDone });
  const element = html("div", { class: "own-note", role: "group", "aria-label": t("notes.title") }, html("div", { class: "note-marks" }, ...buttons), text);
  container.append(element);
  let shown = null;

  function write(change) {
    const note = { mark: 0, comment: "", ...shown.note, ...change };
    shown.note = note.mark || note.comment.trim() ? note : null;
    press();
    onChange(shown);
  }

  /** The same mark once more takes it away. */
  function judge(mark) {
    write({ mark: shown.note?.mark === mark ? 0 : mark });
    onDone();
  }

  const press = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(shown.note?.mark === k + 1)));

  return {
    show(node) {
      element.hidden = !node.move;
      if (node === shown) return;
      shown = node;
      text.value = node.note?.comment ?? "";
      press();
    },
  };
}

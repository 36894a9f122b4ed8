// The moves of a game with its variations: the game in two columns, a variation as an indented
// paragraph below the move that it stands against.
//
//   createMoves(container, {onGo, onDelete}) → { show(game, root, current), marks(), note(node) }
//
// `onGo(node)` is called for a move that is clicked, `onDelete(node)` for the first move of a
// variation that is to go. Only the shown move is a tab stop; the arrow keys of the page do the
// rest.

import { t } from "./language.js";
import { noteText } from "./notes.js";
import { html } from "./svg.js";
import { percent, sideName, written } from "./words.js";

export const SYMBOLS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** "12." before a move of White, "12…" before one of the other side. */
export function numberOf(ply) {
  return `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."}`;
}

/** Shows at the button of a move what a person has written to it. */
function drawNote(button, note) {
  button.querySelector(".line-note")?.remove();
  if (note) button.append(html("span", { class: "line-note" }, noteText(note)));
}

/** Shows at the button of a move what a review says of it: {mark, loss}, or nothing. */
export function drawMark(button, kind, fault) {
  const mark = fault?.mark;
  const text = mark ? t("note.lostShort", { mark: t(`mark.${mark}`), loss: percent(fault.loss) }) : "";
  if (button.title === text) return;
  button.className = mark ? `${kind} ${mark}` : kind;
  button.title = text;
  for (const old of button.querySelectorAll(".line-mark")) old.remove();
  if (!mark) return;
  button.append(
    html("span", { class: "line-symbol line-mark", "aria-hidden": "true" }, SYMBOLS[mark]),
    html("span", { class: "unseen line-mark" }, `, ${t(`mark.${mark}`)}`),
  );
}

export function createMoves(container, { onGo, onDelete }) {
  const box = html("div", { class: "line-moves", role: "group", "aria-label": t("moves.title") });
  container.append(box);
  let shown = null;

  function button(at, game) {
    const number = html("span", { class: "unseen" }, `${numberOf(at.ply - 1)} ${sideName(game, at.move.side)} `);
    const element = html("button", { type: "button", class: "line-move", tabindex: "-1", onclick: () => onGo(at) }, number, written(at.move));
    buttons.set(at, element);
    drawMark(element, "line-move", at.fault);
    drawNote(element, at.note);
    return element;
  }

  const number = (ply) => html("span", { class: "line-number", "aria-hidden": "true" }, numberOf(ply));
  const buttons = new Map();

  /** A variation from its first node on, with those that branch off inside it. */
  function variation(first, game) {
    const away = html(
      "button",
      {
        type: "button",
        class: "line-delete",
        title: t("variation.delete"),
        "aria-label": t("variation.deleteOf", { move: `${numberOf(first.ply - 1)} ${written(first.move)}` }),
        onclick: () => onDelete(first),
      },
      "×",
    );
    const text = html("div", { class: "line-text" });
    const block = html("div", { class: "line-variation" }, text, away);
    let fresh = true;
    for (let at = first; at; at = at.next[0] ?? null) {
      if (fresh || at.move.side === "white") text.append(number(at.ply - 1));
      fresh = false;
      text.append(button(at, game), " ");
      if (at === first) continue;
      for (const other of at.parent.next.slice(1)) {
        text.append(variation(other, game));
        fresh = true;
      }
    }
    return block;
  }

  function build(game, root) {
    buttons.clear();
    const parts = [];
    let black = false;
    for (let at = root.next[0]; at; at = at.next[0] ?? null) {
      const white = at.move.side === "white";
      const others = at.parent.next.slice(1);
      if (white || !black) {
        parts.push(html("span", { class: "line-number", "aria-hidden": "true" }, `${Math.floor((at.ply - 1) / 2) + 1}.`));
        if (!white) parts.push(html("span", { class: "line-gap", "aria-hidden": "true" }, "…"));
      }
      parts.push(button(at, game));
      // After White's move the row waits for the answer, unless variations come in between.
      black = white && !others.length;
      if (others.length) {
        if (white && at.next.length) parts.push(html("span", { class: "line-gap", "aria-hidden": "true" }, "…"));
        parts.push(...others.map((other) => variation(other, game)));
      }
    }
    if (!parts.length) parts.push(html("p", { class: "line-none" }, t("variation.none")));
    box.replaceChildren(...parts);
  }

  /** Scrolls only the list: the page must not jump during stepping. */
  function reveal(element) {
    const above = element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    const below = above + element.offsetHeight - box.clientHeight;
    if (above < 0) box.scrollTop += above - element.offsetHeight;
    else if (below > 0) box.scrollTop += below + element.offsetHeight;
  }

  return {
    /** Shows what a review says of the moves; their buttons stay, as one may be pressed. */
    marks() {
      for (const [at, element] of buttons) drawMark(element, "line-move", at.fault);
    },
    /** Shows what was written to a move. */
    note: (at) => buttons.has(at) && drawNote(buttons.get(at), at.note),
    /** Shows the tree; `changed` is false if only the shown position is another. */
    show(game, root, current, changed = true) {
      const inside = box.contains(document.activeElement);
      if (changed) build(game, root);
      shown?.removeAttribute("aria-current");
      shown?.setAttribute("tabindex", "-1");
      shown = buttons.get(current) ?? null;
      if (shown) {
        shown.setAttribute("aria-current", "true");
        shown.setAttribute("tabindex", "0");
        reveal(shown);
        if (inside) shown.focus({ preventScroll: true });
      } else {
        box.scrollTop = 0;
        box.querySelector(".line-move")?.setAttribute("tabindex", "0");
      }
    },
  };
}

// The rules of a game beside its board, in the language of the page. The moves of the examples are
// played on their boards by a click. Each example can be tried out
// in the analysis, where both sides move, and played from against somebody. On a wide screen the
// game makes room and can be played on meanwhile; on a narrow one the rules lie over it. A link
// leads to the guided first game.

import { queryOf } from "./analyse-link.js";
import { get, outer, post } from "./api.js";
import { drawDiagram } from "./diagram.js";
import { language, t } from "./language.js";
import { html } from "./svg.js";
import { isVariant, longTitle } from "./variants.js";
import { familyOf, hasVoid } from "./words.js";

/** Where there is room for both, as in style.css. */
const BESIDE = "(min-width: 1000px)";

/** Opens the rules of a game at a button; `fail(error)` says why they cannot be had. */
async function showGuide(rules, button, fail) {
  const game = rules.id;
  const isElsewhere = () => document.querySelector("dialog[open]") !== null;
  // Where the rules are open beside the game, the button closes them.
  const open = document.querySelector("dialog.guide[open]");
  open?.close();
  if (open || isElsewhere()) return;
  const text = html("div", { class: "guide-text" });
  const close = html("button", { type: "button", class: "guide-close", "aria-label": t("close"), onclick: () => dialog.close() }, "×");
  const dialog = html("dialog", { class: "guide", "aria-label": t("guide") }, close, text);
  try {
    // The server's own document: no text of a person is in it.
    text.innerHTML = (await get(`/api/guide/${encodeURIComponent(game)}?lang=${language()}`)).html;
  } catch (error) {
    if (button.isConnected) fail(error);
    return;
  }
  // Meanwhile the button may have been pressed again, or another view or game opened.
  if (isElsewhere() || !button.isConnected) return;
  const away = (path, words) => html("a", { class: "button", href: outer(path), onclick: () => dialog.close() }, words);
  const title = text.querySelector("h2");
  if (title && isVariant(game)) title.textContent = longTitle(title.textContent);
  if (title && !isVariant(game)) title.after(html("p", {}, away(`/learn/${familyOf(game)}`, t("learn.open"))));
  for (const diagram of text.querySelectorAll("[data-board]")) {
    const { game: ofBoard, board } = diagram.dataset;
    const position = queryOf({ game: ofBoard, board });
    const links = [away(`/analyse?${position}`, t("guide.try")), away(`/?new&${position}`, t("here.play"))];
    diagram.after(html("p", { class: "guide-links" }, ...links));
  }
  const boards = new Map();
  for (const diagram of text.querySelectorAll(".guide-diagram")) boards.set(diagram, drawDiagram(diagram, diagram.dataset.game ?? game, !hasVoid(rules)));
  const quiet = (error) => dialog.isConnected && fail(error);
  for (const [diagram, board] of boards) if (diagram.dataset.moves) offerLine(diagram, board, quiet);
  const onKey = (event) => event.key === "Escape" && dialog.close();
  document.addEventListener("keydown", onKey);
  dialog.addEventListener("close", () => {
    document.removeEventListener("keydown", onKey);
    dialog.remove();
    if (button.isConnected) button.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  if (matchMedia(BESIDE).matches) dialog.show();
  else dialog.showModal();
  await offerMoves(text, boards, quiet);
}

/** A button with a move of an example, which its board shows. */
function moveButton(words, board, line, fail) {
  const onclick = () => board.play(line).catch(fail);
  return html("button", { type: "button", class: "guide-move", title: t("guide.show"), onclick }, words);
}

/** The caption "after G4,NE" of a diagram plays that. */
function offerLine(diagram, board, fail) {
  const { from, moves } = diagram.dataset;
  const caption = diagram.parentElement.querySelector("figcaption");
  caption?.replaceChildren(moveButton(caption.textContent, board, { board: from, moves: moves.split(" ") }, fail));
}

/** The moves that the text names and the board beside it allows. */
async function offerMoves(text, boards, fail) {
  const blocks = [...text.children];
  let known = []; // of the groups of boards so far
  let waiting = []; // named since the last group
  for (const block of blocks) {
    if (!block.matches(".guide-diagrams")) {
      waiting.push(...block.querySelectorAll("code"));
      continue;
    }
    const group = await groupOf(block, boards, fail);
    if (!text.isConnected) return;
    // The text before the boards is about them, or about those before.
    for (const code of waiting) offerMove(code, [group, known.at(-1)], fail);
    known = [group];
    waiting = [];
  }
  for (const code of waiting) offerMove(code, known, fail);
}

/** The first board of a group with its legal moves; null where it is a picture alone. */
async function groupOf(block, boards, fail) {
  const diagram = block.querySelector(".guide-diagram");
  const { game, board: shown, from } = diagram.dataset;
  const board = from ?? shown;
  if (!board) return null;
  try {
    const { now } = await post("/api/positions", { game, board, moves: [] });
    return { board, shown: boards.get(diagram), legal: new Set(now.legal.map(({ move }) => move)) };
  } catch (error) {
    fail(error);
    return null;
  }
}

function offerMove(code, groups, fail) {
  const group = groups.find((one) => one?.legal.has(code.textContent));
  if (group) code.replaceChildren(moveButton(code.textContent, group.shown, { board: group.board, moves: [code.textContent] }, fail));
}

/** The button that opens them, hidden where there are none. `rules` is the Rules of the game. */
export function guideButton(rules, fail) {
  const button = html("button", { type: "button", "data-action": "guide", hidden: !rules.guide, onclick: () => showGuide(rules, button, fail) }, t("guide"));
  return button;
}

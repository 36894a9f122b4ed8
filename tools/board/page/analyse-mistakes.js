// The results of a review, stored at the nodes of the tree: the marked moves, the next one, and a
// note with the better move.
//
//   createNote(container, {onLook}) → { show(node), text() }
//
// `onLook(node, move)` is called to show the better Move than the one that led to `node`.

import { numberOf, SYMBOLS } from "./analyse-moves.js";
import { t } from "./language.js";
import { html } from "./svg.js";
import { mainLine, pathTo } from "./variations.js";
import { percent, written } from "./words.js";

/** Keeps the entries of event `review` at the reviewed nodes: entry k is of the position before move k, and of move k. */
export function keepReview(line, plies) {
  line.forEach((node, k) => {
    node.verdict = plies[k] ?? null;
    node.fault = typeof plies[k - 1]?.loss === "number" ? plies[k - 1] : null;
  });
}

/** The entries for the game as it stands; of a move that was played since then nothing is known. */
export function keptReview(root) {
  const line = mainLine(root);
  const entryOf = (node, k) => (line[k + 1]?.fault ? node.verdict : { ...node.verdict, loss: null });
  return line.filter((node) => node.verdict).map(entryOf);
}

/** The reviewed moves as the review's summary counts them. */
export function reviewedMoves(root) {
  return mainLine(root)
    .filter((node) => node.fault)
    .map((node) => ({ side: node.move.side, mark: node.fault.mark, loss: node.fault.loss }));
}

/** How many moves at the begin of a game no player chose: they took no time, and nothing was thought. */
export function openingOf(moves) {
  const chosen = moves.findIndex(({ ms, report }) => ms !== null || report !== null);
  return Math.max(0, chosen);
}

/** The next marked move after the shown one (by = 1), or the last before it (by = -1); null if there is none. */
export function nextMistake(root, current, by) {
  const line = mainLine(root);
  const path = [root, ...pathTo(current)];
  const here = line.findLastIndex((node) => path.includes(node));
  const among = line.filter((node, k) => node.fault?.mark && (by > 0 ? k > here : k < here));
  return (by > 0 ? among[0] : among.at(-1)) ?? null;
}

export function createNote(container, { onLook }) {
  const name = html("strong", {});
  const lost = html("span", {});
  // The button stays, as it may be pressed while a review goes on.
  const look = html("button", { type: "button", class: "line-move", onclick: () => onLook(shown, shown.fault.best) });
  const better = html("span", {}, t("note.better"), look);
  const note = html("p", { class: "analyse-better", hidden: true }, name, lost, better);
  container.append(note);
  let shown = null;

  return {
    show(node) {
      const { fault, move } = node;
      shown = node;
      note.hidden = !fault?.mark;
      if (note.hidden) return;
      note.className = `analyse-better ${fault.mark}`;
      const loss = percent(fault.loss).replace(" ", "\u00a0");
      name.textContent = `${numberOf(node.ply - 1)} ${written(move)}`;
      lost.textContent = t("note.lost", { symbol: SYMBOLS[fault.mark], mark: t(`mark.${fault.mark}`), loss });
      better.hidden = !fault.best;
      if (fault.best) look.textContent = written(fault.best);
    },
    text: () => (note.hidden ? "" : `${name.textContent}${lost.textContent}${better.hidden ? "" : better.textContent}`),
  };
}

// Where a game may begin: its usual start, other layouts, and handicaps, where one side begins with
// less.

import { t } from "./language.js";
import { otherSide, sideName } from "./words.js";

const LAYOUTS = { rows: () => t("new.start.rows"), files: () => t("new.start.files") };

/** Distinguishes the starts of a game. */
export const keyOf = ({ name, gives }) => (gives ? `${gives}-${name}` : name);

/** "Red without a knight", "White on rows 1 and 8", or that it is the usual one. */
export function startText(game, { name, gives }) {
  if (gives) return t(`handicap.${name}`, { side: sideName(game, gives) });
  return LAYOUTS[name]?.() ?? t("new.start.usual");
}

/** The handicap of a game that began with this board, in words; empty where there is none. */
export function handicapOf(rules, board) {
  const start = rules.starts.find((entry) => entry.gives && entry.board === board);
  return start ? startText(rules.id, start) : "";
}

/** The board with the handicap of the other side; the same where there is none. */
export function mirrored(rules, board) {
  const now = rules.starts.find((entry) => entry.gives && entry.board === board);
  return rules.starts.find(({ name, gives }) => now && name === now.name && gives === otherSide(now.gives))?.board ?? board;
}

// How a game may begin: as usual, with another setup, or with a handicap, where one side has less.

import { t } from "./language.js";
import { familyOf, otherSide, sideName } from "./words.js";

/** The setups that have words of their own; empty for the usual one. */
const SETUPS = {
  loa: { "": () => t("new.start.rows"), files: () => t("new.start.files"), standard: () => t("new.start.standard") },
  voidrider: { thery: () => t("new.start.thery") },
};

/** "Red without a knight", "White on rows 1 and 8", or that it is the usual one. */
export function startText(game, { name, gives }) {
  if (gives) return t(`handicap.${name}`, { side: sideName(game, gives) });
  return SETUPS[familyOf(game)]?.[name]?.() ?? (name || t("new.start.usual"));
}

/** What is not as usual in a game that began like this, in words; empty where all is. */
export function specialStart(rules, game, board) {
  const [usual, ...others] = rules.starts;
  // Games that were kept before a handicap had a name began with its board.
  const start = others.find(({ id }) => id === game) ?? others.find((entry) => entry.gives && game === usual.id && entry.board === board);
  return start ? startText(game, start) : "";
}

/** The game with the handicap of the other side; the same where there is none. */
export function mirrored(rules, game) {
  const now = rules.starts.find(({ id, gives }) => id === game && gives);
  return rules.starts.find(({ name, gives }) => now && name === now.name && gives === otherSide(now.gives))?.id ?? game;
}

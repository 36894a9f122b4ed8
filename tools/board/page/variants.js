// What the page knows of chess variants: their titles and pieces, as the server describes them.
//
// The name of a variant is `variant:chess`, or `FILE.ini:NAME` where a file or a person defines it.

import { fromServer } from "./language.js";

/** Max characters of a title that a person has written. */
const LONGEST = 50;

const known = new Map();

export const isVariant = (game) => game.startsWith("variant:") || /\.ini:/i.test(game);

/** Notes what a game's Rules say of a variant; returns the Rules. */
export function learn(rules) {
  if (rules.variant) known.set(rules.id, rules);
  return rules;
}

/** Whether a game can be drawn and named: all can but variants that nobody has asked the server for. */
export const isKnown = (game) => !isVariant(game) || known.has(game);

/** The whole title of a variant: "Petty chess, 5 x 6 (B. Walker Watson 1930)". */
export const longTitle = (title) => fromServer(title).slice(0, 3 * LONGEST);

/** The first words of it: "Petty chess". */
export const shortTitle = (title) => fromServer(title.split(/[,:(]/)[0].trim()).slice(0, LONGEST);

/** The short title of a variant by its name; the name of its section where no more is known. */
export function variantTitle(game) {
  const rules = known.get(game);
  return rules ? shortTitle(rules.title) : game.slice(game.lastIndexOf(":") + 1);
}

/** The piece that a letter stands for: {side, name, letter, promotes}; its name is null where it has none. */
export function variantPiece(game, letter) {
  const small = letter.toLowerCase();
  const piece = known.get(game)?.variant.pieces.find((one) => one.letter === small);
  const name = !piece || piece.name.startsWith("customPiece") ? null : piece.name;
  return { side: letter === small ? "black" : "white", name, letter: letter.toUpperCase(), promotes: piece?.promotes ?? false };
}

/** The letters of the pieces for the plates of White and Black: the king's where there is one. */
export function plateLetters(game) {
  const pieces = known.get(game)?.variant.pieces ?? [];
  const { letter } = pieces.find(({ name }) => name === "king") ?? pieces[0] ?? { letter: "k" };
  return [letter.toUpperCase(), letter];
}

// What the page calls things, in one place: games, sides, pieces, moves, values and times.

import { decimal, fromServer, plain, playerName, t } from "./language.js";
import { isVariant, variantPiece, variantTitle } from "./variants.js";

/** "hadron5" is played like "hadron": the game's family is its name without the size. */
export const familyOf = (game) => (isVariant(game) ? "variant" : game.split(":")[0].replace(/\d+(x\d+)?$/, ""));

/** Whether Black plays the red pieces. */
const hasRed = (game) => familyOf(game) === "voidrider";

/** The colour of a side's pieces. */
export const colourOf = (game, side) => (side === "black" && hasRed(game) ? "red" : side);

/** The side as people call it: in Voidrider Chess Black plays the red pieces. */
export function sideName(game, side) {
  return t(`side.${colourOf(game, side)}`);
}

/** A sentence of the server about a game, which calls the sides White and Black in every game. */
export const told = (game, text) => fromServer(text && game && hasRed(game) ? text.replace(/\bBlack\b/g, "Red") : text);

/** A seat's name; one that only says "Black" says "Red" where Black plays the red pieces. */
export function seatName(game, side, name) {
  return !name || name.toLowerCase() === side ? sideName(game, side) : playerName(name);
}

/** A move as people write it: in chess variants in standard notation, where the server has it. */
export const written = (move) => move.shown ?? move.move;

export const otherSide = (side) => (side === "white" ? "black" : "white");

const CHESS = { k: "king", r: "rook", b: "bishop", n: "knight", p: "pawn", v: "voidrider" };

/** "White wins", "Draw", or "No result" of a game that was broken off. */
export function outcomeOf(game, { winner, decided }) {
  if (!decided) return t("outcome.none");
  return winner ? t("outcome.wins", { side: sideName(game, winner) }) : t("outcome.draw");
}

/** "home row reached", out of "White (home row reached)". */
export const reasonOf = (game, text) => told(game, text.match(/\((.*)\)\s*$/)?.[1] ?? text);

/** The winner out of "Black (home row reached)", as in a Result: null for a draw and for no result. */
export function resultOf(text) {
  const winner = text.match(/^(white|black)\b/i)?.[1].toLowerCase() ?? null;
  return { winner, decided: !/^no result\b/i.test(text) };
}

/** The whole of "Black (home row reached)" in words: "Red wins: home row reached". */
export const resultText = (game, text) => t("outcome.because", { outcome: outcomeOf(game, resultOf(text)), reason: reasonOf(game, text) });

/** What a result is worth for White; null of no result. */
export function valueOf({ winner, decided }) {
  if (!decided) return null;
  return { white: 1, black: 0 }[winner] ?? 0.5;
}

/** The title of a game, with the size where it is not the usual one: "Hadron 5 × 5". */
export function titleOf(rules, game) {
  if (isVariant(game)) return variantTitle(game);
  const family = familyOf(game);
  const title = rules.games.find((entry) => entry.id === family)?.title ?? family;
  const [, height, width] = game.match(/(\d+)(?:x(\d+))?$/) ?? [];
  return height ? `${title} ${height} × ${width ?? height}` : title;
}

/** Whether a letter of the rows is a cell without a square. */
export const isVoid = (letter) => letter === "#" || letter === "*";

/** Whether the board of a game, by its Rules, has cells without a square. */
export const hasVoid = (rules) => rules.starts[0].rows.some((row) => [...row].some(isVoid));

/** The piece that a letter of the rows stands for: {side, name}, or null for cells without one. */
export function pieceOf(game, letter) {
  if (letter === "." || letter === undefined || isVoid(letter)) return null;
  if (isVariant(game)) return variantPiece(game, letter);
  const family = familyOf(game);
  const small = letter.toLowerCase();
  if (family === "voidrider") return { side: letter === small ? "black" : "white", name: CHESS[small] };
  const side = small === "w" ? "white" : "black";
  if (family === "murus") return { side, name: letter === small ? "wall" : "tower" };
  return { side, name: "stone" };
}

/** "white tower", "empty", "void": what lies on a cell. */
export function contentName(game, letter) {
  const piece = pieceOf(game, letter);
  if (piece && isVariant(game)) return t("piece.of", { side: sideName(game, piece.side), name: kindName(piece) });
  if (piece) return t(`piece.${colourOf(game, piece.side)}.${piece.name}`);
  return isVoid(letter) ? t("cell.void") : t("cell.empty");
}

/** What a piece of chess or a variant is called; its letter where it has no name. */
export const kindName = ({ name, letter }) => (name ? t(`chess.${name}`) : letter);

/** Where a game comes from that is not played on the page; nothing for one that is. */
export const sourceName = (source) => (source === "board" ? "" : t(`source.${source}`));

export const engineName = (engine) => t(`engine.${engine}`);

/** A sentence with a capital letter and a full stop, as messages of the server may have neither. */
export function sentence(text) {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return text ? text[0].toUpperCase() + text.slice(1) + end : "";
}

/** A share of one as "63 %"; "–" where nothing is known. */
export function percent(value) {
  return value === null ? "–" : `${Math.round(value * 100)} %`;
}

/** Milliseconds as "0:07" or "1:02:09"; with tenths under a minute when asked ("7.3 s"). */
export function clockText(ms, tenths = false) {
  if (tenths && ms < 60000) return t("seconds", { n: decimal(Math.floor(ms / 100) / 10, 1) });
  const seconds = Math.floor(ms / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** A limit of time as "0.3 s" or "10 s". */
export const secondsText = (ms) => t("seconds", { n: plain(ms / 1000) });

/** Large numbers as "12 345" or "1.2 M". */
export function countText(n) {
  if (n >= 1e9) return `${decimal(n / 1e9, 1)} G`;
  if (n >= 1e6) return `${decimal(n / 1e6, 1)} M`;
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A proof as "White wins in 7 plies" or "draw". */
export function proofText(game, proof) {
  if (!proof) return "";
  if (!proof.winner) return t("proof.draw");
  return t("proof.wins", { side: sideName(game, proof.winner), n: proof.plies });
}

// What the page calls things, in one place: games, sides, pieces, moves, values and times.

/** "hadron5" is played like "hadron": the game's family is its name without the size. */
export const familyOf = (game) => game.replace(/\d+(x\d+)?$/, "");

/** The side as people call it: in Voidrider Chess Black plays the red pieces. */
export function sideName(game, side) {
  if (side === "white") return "White";
  return familyOf(game) === "voidrider" ? "Red" : "Black";
}

/** A seat's name; one that only says "Black" says "Red" where Black plays the red pieces. */
export function seatName(game, side, name) {
  return !name || name.toLowerCase() === side ? sideName(game, side) : name;
}

export const otherSide = (side) => (side === "white" ? "black" : "white");

const CHESS = { k: "king", r: "rook", b: "bishop", n: "knight", p: "pawn", v: "voidrider" };

/** "White wins", "Draw", or "No result" of a game that was broken off. */
export function outcomeOf(game, { winner, decided }) {
  if (!decided) return "No result";
  return winner ? `${sideName(game, winner)} wins` : "Draw";
}

/** "home row reached", out of "White (home row reached)". */
export const reasonOf = (text) => text.match(/\((.*)\)\s*$/)?.[1] ?? text;

/** The winner out of "Black (home row reached)", as in a Result: null for a draw and for no result. */
export function resultOf(text) {
  const winner = text.match(/^(white|black)\b/i)?.[1].toLowerCase() ?? null;
  return { winner, decided: !/^no result\b/i.test(text) };
}

/** The whole of "Black (home row reached)" in words: "Red wins: home row reached". */
export const resultText = (game, text) => `${outcomeOf(game, resultOf(text))}: ${reasonOf(text)}`;

/** What a result is worth for White; null of no result. */
export function valueOf({ winner, decided }) {
  if (!decided) return null;
  return { white: 1, black: 0 }[winner] ?? 0.5;
}

/** The title of a game, with the size where it is not the usual one: "Hadron 5 × 5". */
export function titleOf(rules, game) {
  const family = familyOf(game);
  const title = rules.games.find((entry) => entry.id === family)?.title ?? family;
  const [, height, width] = game.match(/(\d+)(?:x(\d+))?$/) ?? [];
  return height ? `${title} ${height} × ${width ?? height}` : title;
}

/** The piece that a letter of the rows stands for: {side, name}, or null for "." and "#". */
export function pieceOf(game, letter) {
  if (letter === "." || letter === "#" || letter === undefined) return null;
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
  if (piece) return `${sideName(game, piece.side).toLowerCase()} ${piece.name}`;
  return letter === "#" ? "void" : "empty";
}

/** The kinds of moves as a cell's label names them. */
export const KINDS = {
  distribute: "distribute here",
  sacrifice: "sacrifice: remove this wall",
  place: "place a stone here",
  move: "move here",
  capture: "capture here",
  space: "space move here",
  castle: "castle here",
};

/** The source of a game that is not played on the page. */
export const SOURCES = { referee: "Referee", match: "Match", tournament: "Tournament" };

export const ENGINES = { mcts: "Monte Carlo", alphabeta: "Alpha-beta", random: "Random" };

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
  if (tenths && ms < 60000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** A limit of time as "0.3 s" or "10 s". */
export const secondsText = (ms) => `${ms / 1000} s`;

/** Large numbers as "12 345" or "1.2 M". */
export function countText(n) {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A proof as "White wins in 7 plies" or "draw". */
export function proofText(game, proof) {
  if (!proof) return "";
  if (!proof.winner) return "proven draw";
  return `${sideName(game, proof.winner)} wins in ${proof.plies} ${proof.plies === 1 ? "ply" : "plies"}`;
}

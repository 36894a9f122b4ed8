// The analysis in the address, so that a reload or a shared link brings it back. It is the game,
// the board it began from, its moves, the variation that is shown and how far it was stepped.
//
//   /analyse?game=murus&moves=G4,NE+A2,S&fork=1&line=A3,S+G1,N&ply=2&white=Ada&black=Bob&opening=1
//
// fork and line describe a variation: it leaves the game after `fork` moves and continues with
// `line`. The first `opening` moves were chosen by no player. Larger data (values of a record, a
// review) is stored in the browser's history entry, which survives a reload but is not in a link.

import { outer } from "./api.js";

const LONGEST = 6000;

const words = (text) => (text ? text.split(/\s+/).filter(Boolean) : []);
const count = (text) => (/^\d{1,4}$/.test(text ?? "") ? Number(text) : null);

/** What the address asks for: {id}, or {game, board, moves, fork, line, ply, white, black, opening}, or null. */
export function readLink(query) {
  if (query.get("id")) return { id: query.get("id"), ply: count(query.get("ply")) };
  if (!query.get("game")) return null;
  return {
    game: query.get("game"),
    board: query.get("board"),
    moves: words(query.get("moves")),
    fork: count(query.get("fork")),
    line: words(query.get("line")),
    ply: count(query.get("ply")) ?? 0,
    white: query.get("white") ?? "",
    black: query.get("black") ?? "",
    opening: count(query.get("opening")) ?? 0,
  };
}

/** Only what an address must escape is escaped, so that a link stays readable. */
function escaped(value) {
  return encodeURIComponent(value).replace(/%20/g, "+").replace(/%2C/g, ",").replace(/%2F/g, "/");
}

/** These parts of an address; null if it would be too long to share. */
export function queryOf(parts) {
  const query = Object.entries(parts)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${escaped(String(value))}`)
    .join("&");
  return query.length <= LONGEST ? query : null;
}

/** The address of an analysis; null if it would be too long to share. */
export function linkOf({ game, board, moves, fork, line, ply, white, black, opening }) {
  const query = queryOf({ game, board, moves: moves.join(" "), fork, line: line.join(" "), ply, white, black, opening });
  return query && `/analyse?${query}`;
}

/** Puts the address and what belongs to it into this history entry. */
export function keepLink(link, extra) {
  history.replaceState({ analysis: extra }, "", outer(link ?? "/analyse"));
}

/** What keepLink put beside the address of this history entry, or {}. */
export const keptExtra = () => history.state?.analysis ?? {};

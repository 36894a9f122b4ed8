// The engines' thoughts as arrows on the board of a game: the moves that an engine considers, and
// the line of the one that is pointed at.
//
//   createGameArrows({onChange}) → { note(ply, report), candidates(state, ply, report),
//                                    line(state, ply, move), clear(), end() }
//
// A report names moves as text, and lines lead through positions that only the server knows: it is
// asked for what the page does not have, one question at a time, and onChange() is called when an
// answer has come. Until then there are no arrows. `ply` counts the moves before a position.

import { post } from "./api.js";
import { arrowsOf, lineArrows } from "./candidates.js";

/** Milliseconds between two questions: reports come several times a second. */
const PAUSE = 400;
/** Answers that are kept. */
const KEPT = 60;
/** Moves of a line that are asked for. */
const LINE = 6;

export function createGameArrows({ onChange }) {
  const answers = new Map();
  /** The newest line that began with a move in a position: an engine reports its best line alone. */
  const lines = new Map();
  let wanted = null;
  let timer = 0;
  let ended = false;

  async function ask() {
    const { key, body } = wanted;
    wanted = null;
    try {
      answers.set(key, await post("/api/positions", body));
    } catch (error) {
      // Other programs may name moves in their own way: that is not asked again.
      if (error.status === 400 || error.status === 422) answers.set(key, null);
    }
    if (ended) return;
    if (answers.size > KEPT) answers.delete(answers.keys().next().value);
    timer = setTimeout(() => {
      timer = 0;
      if (wanted) ask();
    }, PAUSE);
    onChange();
  }

  /** The positions after moves of the game and some more; null until they are known. */
  function positions(state, ply, more) {
    const moves = [...state.moves.slice(0, ply).map(({ move }) => move), ...more];
    const key = moves.join(" ");
    if (answers.has(key)) return answers.get(key);
    wanted = { key, body: { game: state.game, board: state.start.board, moves } };
    if (!timer) {
      timer = -1;
      ask();
    }
    return null;
  }

  const legalAt = (state, ply) => (ply === state.moves.length ? state.now.legal : (positions(state, ply, [])?.now.legal ?? []));

  return {
    note(ply, { pv }) {
      if (pv.length) lines.set(`${ply} ${pv[0]}`, pv);
    },
    candidates(state, ply, report) {
      const legal = legalAt(state, ply);
      const drawn = (entry) => ({ ...legal.find(({ move }) => move === entry.move), ...entry });
      const top = report.top.map(drawn).filter(({ to }) => to);
      const played = state.moves[ply]?.move ?? report.top[0]?.move ?? report.pv[0];
      return arrowsOf({ report, best: legal.find(({ move }) => move === played), top });
    },
    line(state, ply, move) {
      const line = (lines.get(`${ply} ${move}`) ?? [move]).slice(0, LINE);
      return lineArrows(positions(state, ply, line)?.moves.slice(ply) ?? []);
    },
    clear: () => lines.clear(),
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}

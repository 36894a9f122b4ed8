// The line of a candidate that is pointed at: an engine reports its best line alone, so of another
// move a short search of the position after it finds one.
//
//   createLineSearch({onLine}) → { ask(position, engine, move), drop() }
//
// `position` is that of the live analysis, `move` a Move. onLine(move, line) is called as the line
// grows; drop() ends the search, as when the pointer has left.

import { post } from "./api.js";
import { events } from "./streams.js";

/** Milliseconds that a pointer must rest: whoever passes over a list wants no searches. */
const REST = 250;
const TIME = 400;

export function createLineSearch({ onLine }) {
  let run = null; // {timer, id, close, dropped}

  function drop() {
    if (!run) return;
    clearTimeout(run.timer);
    run.dropped = true;
    run.close?.();
    if (run.id) post(`/api/analyses/${run.id}/stop`, {}, { keepalive: true }).catch(() => {});
    run = null;
  }

  async function search(now, { game, board, moves }, engine, move) {
    try {
      now.id = (await post("/api/analyses", { game, ...(board && { board }), moves: [...moves, move.move], engine, ms: TIME })).id;
    } catch {
      // The move alone stays on the board: a full server, or the end of the game.
      return;
    }
    if (now.dropped) return void post(`/api/analyses/${now.id}/stop`).catch(() => {});
    now.close = events(`/api/analyses/${now.id}/events`, {
      report({ pv, done }) {
        if (pv.length) onLine(move, [move, ...pv]);
        if (!done) return;
        now.id = null;
        now.close();
      },
    });
  }

  return {
    ask(position, engine, move) {
      drop();
      const now = { timer: 0, id: null, close: null, dropped: false };
      now.timer = setTimeout(() => search(now, position, engine, move), REST);
      run = now;
    },
    drop,
  };
}

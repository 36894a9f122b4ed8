// Analyses and reviews by name, as the server has them.

import { Desk, refusal } from "./desk.js";
import { Mind } from "./mind.js";

const runs = new Map();
let number = 0;
let idle = null;

/** Tries of a search whose workers are lost. */
const TRIES = 3;

/** A mind for a search: the idle one, or a small one beside another search. */
export function takeMind() {
  const mind = idle ?? new Mind([...runs.values()].some((run) => !run.done) ? 1 : undefined);
  idle = null;
  return mind;
}

export function giveBack(mind) {
  if (idle || mind.most === 1) mind.end();
  else idle = mind;
}

function begin(name, stop) {
  const id = `s${++number}`;
  const run = { name, id, latest: null, done: false, cut: false, listeners: new Set(), stop };
  runs.set(id, run);
  return run;
}

function tell(run, data, done) {
  run.latest = data;
  run.done = done;
  for (const handlers of run.listeners) handlers[run.name]?.(structuredClone(data));
}

/** POST /api/analyses */
export function analyse(wish) {
  const mind = takeMind();
  const run = begin("report", () => mind.stop());
  const search = async () => {
    for (let left = TRIES; ; left -= 1) {
      try {
        const found = await mind.think({ ...wish, ahead: true }, (found) => !run.done && tell(run, { ...found, done: false, stopped: false }, false));
        tell(run, { ...found, done: true, stopped: run.cut }, true);
        return;
      } catch (error) {
        if (!run.cut && left > 1) continue;
        run.done = true;
        for (const handlers of run.listeners) handlers.failed?.(error);
        return;
      }
    }
  };
  search().finally(() => giveBack(mind));
  return { id: run.id };
}

/** POST /api/reviews */
export function review({ game, board, moves, opening = 0, engine, ms }) {
  const desk = new Desk();
  const run = begin("review", () => desk.end());
  const search = async () => {
    try {
      await desk.know(game);
      await desk.ask({ do: "new", game, ...(board && { board }), moves, engine });
      const ended = await desk.ask({ do: "review", ms, opening }, (said) => tell(run, said.review, false), ms + 10_000);
      tell(run, ended.review, true);
    } catch (error) {
      run.done = true;
      if (!run.cut) for (const handlers of run.listeners) handlers.failed?.(error);
    }
  };
  search().finally(() => desk.end());
  return { id: run.id };
}

export async function stop(id) {
  const run = runs.get(id);
  if (run && !run.done) {
    run.cut = true;
    await run.stop();
  }
  runs.delete(id);
  return {};
}

/** The events of a search; returns what closes them. */
export function listen(id, handlers) {
  const run = runs.get(id);
  if (!run) {
    queueMicrotask(() => handlers.failed?.(refusal("analysis not found: the server may have been restarted", 404)));
    return () => {};
  }
  run.listeners.add(handlers);
  if (run.latest) queueMicrotask(() => run.listeners.has(handlers) && handlers[run.name]?.(structuredClone(run.latest)));
  return () => run.listeners.delete(handlers);
}

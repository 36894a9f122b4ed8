// An engine: one worker, or several with a tree each (root parallelism), whose findings are added.

import { Desk } from "./desk.js";

/** Milliseconds for an answer to a stop; a search that cannot hear it is ended with its worker. */
const STOP = 500;

const wanted = Number(new URLSearchParams(location.search).get("workers"));
/** The workers of a tree search: `workers` of the address, or the cores but one, four at most. */
const WORKERS = wanted > 0 ? wanted : Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1));

const sum = (list) => list.reduce((all, one) => all + (one ?? 0), 0);

/** One finding from those of several trees of the same position. */
export function added(findings) {
  if (findings.length === 1) return findings[0];
  const byMove = new Map();
  for (const top of findings.flatMap((found) => found.top)) byMove.set(top.move, [...(byMove.get(top.move) ?? []), top]);
  const merged = [...byMove.values()].map((tops) => {
    const visits = sum(tops.map((top) => top.visits));
    const value = visits ? sum(tops.map((top) => top.value * top.visits)) / visits : tops[0].value;
    return { ...tops[0], visits, value, proof: tops.find((top) => top.proof)?.proof ?? null };
  });
  // A tree that has a proof knows what the others guess.
  const proven = findings.find((found) => found.report.proof);
  const most = merged.toSorted((a, b) => b.visits - a.visits)[0];
  const best = proven?.best ?? most?.move ?? findings[0].best;
  const name = best.move ?? best;
  const leader = proven ?? findings.find((found) => found.best.move === name) ?? findings[0];
  const top = merged.toSorted((a, b) => (b.move === name) - (a.move === name) || b.visits - a.visits).slice(0, leader.top.length);
  const reports = findings.map((found) => found.report);
  const nodes = sum(reports.map((report) => report.nodes));
  const own = top[0]?.move === name ? top[0].value : leader.report.value;
  const report = {
    ...leader.report,
    value: proven ? leader.report.value : own,
    nodes: leader.report.nodes === null ? null : nodes,
    per_second: leader.report.per_second === null ? null : sum(reports.map((one) => one.per_second)),
    top: top.map(({ move, visits, value, prior, proof }) => ({ move, visits, value, prior, proof })),
  };
  return { ...leader, report, top };
}

export class Mind {
  #desks = [];
  #strength = "";

  /** `most` workers, for a search beside another. */
  constructor(most = WORKERS) {
    this.most = most;
  }

  #desk(k) {
    if (!this.#desks[k] || this.#desks[k].lost) this.#desks[k] = new Desk();
    return this.#desks[k];
  }

  /**
   * Searches the position at the end of a line; `ms` null: until `stop()`. `ahead`: a position with
   * one move is worth what comes after it. Rejects if all workers are lost.
   */
  async think({ game, board, moves, engine, ms, ahead = false }, hear = () => {}) {
    this.#strength = engine;
    const count = engine === "mcts" ? this.most : 1;
    const latest = [];
    const seed = Math.floor(Math.random() * 2 ** 32);
    const searches = Array.from({ length: count }, async (_, k) => {
      const desk = this.#desk(k);
      await desk.know(game);
      await desk.ask({ do: "new", game, ...(board && { board }), moves, engine, seed: seed + k, carry: true });
      const limits = { ...(ms && { ms }), parts: engine === "mcts", ahead };
      const patience = engine === "mcts" ? undefined : (ms ?? 3_600_000) + 10_000;
      return desk.ask({ do: "search", ...limits }, (found) => {
        latest[k] = found;
        hear(added(latest.filter(Boolean)));
      }, patience);
    });
    const ended = await Promise.allSettled(searches);
    const found = ended.flatMap(({ value }) => (value ? [value] : []));
    if (!found.length) throw ended[0].reason;
    return added(found);
  }

  /** Ends the search soon. */
  async stop() {
    const soft = this.#strength === "mcts";
    const stopped = this.#desks.map(async (desk) => {
      if (!soft) return desk.end();
      const timer = setTimeout(() => desk.end(), STOP);
      await desk.ask({ do: "stop" }).catch(() => {});
      clearTimeout(timer);
    });
    await Promise.all(stopped);
  }

  end() {
    for (const desk of this.#desks) desk.end();
    this.#desks = [];
  }
}

// How strong the opponent is that a person plays against: the ladder of levels up to full strength,
// the place on it that this browser remembers, and the next one after a game.

import { keep, recall } from "./memory.js";

const KEY = "alesia-quick-level";
const FULL = "mcts";

/** All strengths, the weakest first; a newcomer begins there. */
export const ladder = (rules) => [...rules.levels, FULL];

/** The strength of the last game, or of a first one. */
export function lastStrength(rules) {
  const { engine } = recall(KEY);
  return ladder(rules).includes(engine) ? engine : ladder(rules)[0];
}

export const keepStrength = (engine) => keep(KEY, { engine });

/** The strengths below and above one: {weaker, stronger}, null where there is none. */
export function neighbours(rules, engine) {
  const steps = ladder(rules);
  const at = steps.indexOf(engine);
  const stepAt = (k) => (at < 0 ? null : (steps[k] ?? null));
  return { weaker: stepAt(at - 1), stronger: stepAt(at + 1) };
}

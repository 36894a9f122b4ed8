// What may come after a game: the same once more, with the colours swapped, or against the next
// weaker or stronger opponent.
//
//   createAgain({context, rules, state, mine, fail}) → { elements, show() }
//
// `state()` is the game, `mine()` the sides of this person, `rules` those of the game.

import { startGame } from "./newgame.js";
import { html } from "./svg.js";
import { t } from "./language.js";
import { mirrored } from "./starts.js";
import { keepStrength, neighbours } from "./strength.js";
import { engineName, otherSide } from "./words.js";

export function createAgain({ context, rules, state, mine, fail }) {
  /** A new game with the same start and players; `change` is {swap} or {engine}. */
  async function again({ swap = false, engine = null }) {
    const now = state();
    const wish = (side) => {
      const seat = now.seats[swap ? otherSide(side) : side];
      if (seat.kind === "engine") return { kind: "engine", engine: engine ?? seat.engine, ms: seat.ms };
      const held = mine().includes(swap ? otherSide(side) : side);
      if (!held) return { kind: "open" };
      // A side's own name is no person's.
      const named = mine().length === 1 && seat.name && !/^(white|black|red)$/i.test(seat.name);
      return named ? { kind: "me", name: seat.name } : { kind: "me" };
    };
    if (engine) keepStrength(engine);
    try {
      const { board } = now.start;
      const usual = rules.starts.find(({ id }) => id === now.game)?.board === board;
      const game = swap ? mirrored(rules, now.game) : now.game;
      const clock = now.clock.bank ?? undefined;
      await startGame(context, { game, board: usual ? undefined : board, white: wish("white"), black: wish("black"), clock });
    } catch (error) {
      fail(error);
    }
  }

  const button = (action, act, text = "") => html("button", { type: "button", "data-action": action, onclick: act }, text);
  const rematch = button("rematch", () => again({ swap: true }), t("game.rematch"));
  const same = button("again", () => again({}), t("game.again"));
  let next = { weaker: null, stronger: null };
  const weaker = button("weaker", () => again({ engine: next.weaker }));
  const stronger = button("stronger", () => again({ engine: next.stronger }));

  /** The opponent on the ladder of strengths, if a person played against one. */
  function opponent() {
    const own = mine();
    const seat = own.length === 1 ? state().seats[otherSide(own[0])] : null;
    return seat?.kind === "engine" ? seat.engine : null;
  }

  return {
    elements: [rematch, same, weaker, stronger],
    /** Shows what may come next; what fits the result best is the main button. */
    show() {
      const { result } = state();
      const offered = Boolean(result) && mine().length > 0;
      next = neighbours(context.rules, opponent());
      for (const part of [rematch, same]) part.hidden = !offered;
      for (const [part, engine, key] of [[weaker, next.weaker, "game.weaker"], [stronger, next.stronger, "game.stronger"]]) {
        part.hidden = !offered || !engine;
        if (engine) part.textContent = t(key, { name: engineName(engine) });
      }
      const won = result?.winner === mine()[0];
      const fitting = !result?.winner || mine().length !== 1 ? rematch : won ? stronger : weaker;
      const main = fitting.hidden ? rematch : fitting;
      for (const part of [rematch, weaker, stronger]) part.classList.toggle("main", part === main);
    },
  };
}

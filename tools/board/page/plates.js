// A player's name plate: side, name, what kind of player, whether it is to move, and the clock.

import { html } from "./svg.js";
import { pieceIcon } from "./pieces.js";
import { t } from "./language.js";
import { isVariant, plateLetters } from "./variants.js";
import { engineName, sideName, seatName, familyOf, secondsText } from "./words.js";

/** The pieces on the plates of White and Black, where they are not the stones `w` and `b`. */
const ICONS = { murus: ["W", "B"], voidrider: ["K", "k"] };

/** The plate of one side; `face` is where the clock goes. */
export function createPlate(game, side) {
  const letters = isVariant(game) ? plateLetters(game) : (ICONS[familyOf(game)] ?? ["w", "b"]);
  const letter = letters[side === "white" ? 0 : 1];
  const name = html("span", { class: "plate-name" });
  const kind = html("span", { class: "plate-kind quiet-text" });
  const turn = html("span", { class: "plate-turn" }, t("plate.toMove"));
  const face = html("span", { class: "clock number", role: "timer", "aria-live": "off" });
  const element = html(
    "div",
    { class: "plate", "data-side": side },
    pieceIcon(game, letter),
    html("div", { class: "plate-words" }, name, kind),
    turn,
    face,
  );

  function show(state, mine) {
    const seat = state.seats[side];
    const open = seat.kind === "open";
    const toMove = state.phase === "playing" && state.now.side === side;
    const own = sideName(game, side);
    name.textContent = open ? t("plate.open") : seatName(game, side, seat.name);
    const words = name.textContent === own ? [] : [own];
    const told = (text) => `${name.textContent} ${seat.name}`.toLowerCase().includes(text.toLowerCase());
    if (seat.kind === "engine") {
      const engine = engineName(seat.engine);
      words.push(t("plate.engine"));
      if (!told(engine)) words.push(engine);
      // A name has its time in either unit; chance takes none, and a level as little as it needs.
      const timed = seat.ms && ["mcts", "alphabeta"].includes(seat.engine);
      if (timed && !told(`${seat.ms / 1000} s`) && !told(`${seat.ms} ms`)) words.push(secondsText(seat.ms));
    }
    if (mine) words.push(t("plate.you"));
    if (state.result?.winner === side) words.push(t("plate.winner"));
    kind.textContent = words.join(" · ");
    element.classList.toggle("turn", toMove);
    element.classList.toggle("won", state.result?.winner === side);
    turn.hidden = !toMove;
    face.setAttribute("aria-label", t(state.clock.left ? "plate.left" : "plate.time", { side: own }));
  }

  return { element, face, show };
}

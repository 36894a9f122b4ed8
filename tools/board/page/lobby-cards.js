// The games as cards: a board that plays a recorded game, a sentence, and the ways in: a game
// against Alesia, the guided first game, the rules. The last two lead to the chess variants and
// the analysis.
//
// createGameCards(context) → { element, end() }

import { get, outer } from "./api.js";
import { guideButton } from "./guide.js";
import { t } from "./language.js";
import { keepText, recallText } from "./memory.js";
import { miniBoard } from "./mini.js";
import { families, startQuick, strengthChoice } from "./newgame.js";
import { html } from "./svg.js";

/** Whether the boards stand still by choice. */
const KEY = "alesia-still";
/** Milliseconds for a move, and the moves for which the last position stays. */
const PACE = 1100;
const REST = 4;
/** The variant that stands for all. */
const VARIANT = "variant:amazon";
/** The game on the board of the analysis. */
const STUDY = "hadron7";

const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A board that shows a recorded game; `step` goes on by a move, `still` shows its middle. */
function createFilm(game, rows) {
  const element = html("div", { class: "game-card-board", "aria-hidden": "true" }, miniBoard(game, rows));
  let film = [rows];
  let at = 0;
  const draw = () => element.replaceChildren(miniBoard(game, film[Math.min(at, film.length - 1)], film[at - 1]));
  return {
    element,
    load: ({ boards }) => (film = boards.map((board) => board.split("/"))),
    step() {
      at = at + 1 < film.length + REST ? at + 1 : 0;
      if (at < film.length) draw();
    },
    still() {
      at = Math.floor(film.length / 2);
      draw();
    },
  };
}

export function createGameCards(context) {
  let ended = false;
  let still = recallText(KEY) === "yes";
  const boards = [];
  const strength = strengthChoice(context);

  function card(game, title, rows, about, ...actions) {
    const board = createFilm(game, rows);
    boards.push([game, board]);
    return html(
      "li",
      { class: "game-card panel" },
      board.element,
      html("div", { class: "game-card-text" }, html("h2", {}, title), html("p", {}, about), html("div", { class: "card-actions" }, ...actions)),
    );
  }

  /** The card of a game; one without a page of rules has no sentence and no lesson either. */
  function gameCard(rules) {
    const { id, title, starts, guide } = rules;
    const play = () => startQuick(context, id, strength.value());
    const label = t("lobby.playGame", { title });
    const learn = () => html("a", { class: "button", href: outer(`/learn/${id}`), "aria-label": t("learn.title", { title }) }, t("learn.open"));
    return card(
      id,
      title,
      starts[0].rows,
      guide ? t(`lobby.about.${id}`) : "",
      html("button", { type: "button", class: "main", "data-quick": id, "aria-label": label, onclick: play }, t("lobby.play")),
      guide ? learn() : "",
      guideButton(rules, context.fail),
    );
  }

  const variant = context.rules.variants.find(({ id }) => id === VARIANT);
  const study = context.rules.games.find(({ id }) => id === STUDY);
  const edit = html("a", { class: "button", href: outer("/analyse?edit") }, t("edit.title"));
  const analyse = html("a", { class: "button main", href: outer("/analyse") }, t("load.title"));
  const choose = html("a", { class: "button main", href: outer("/?new&variant") }, t("lobby.choose"));
  const motion = html("button", { type: "button", class: "quiet", "data-action": "motion", onclick: toggle });
  const element = html(
    "section",
    { class: "lobby-quick" },
    html("div", { class: "lobby-head" }, html("h1", {}, t("lobby.play")), strength.element, motion),
    html(
      "ul",
      { class: "game-cards" },
      ...families(context.rules).map(gameCard),
      variant && card(VARIANT, t("variant.any"), variant.starts[0].rows, t("lobby.about.variant"), choose),
      card(STUDY, t("analyse.title"), study.starts[0].rows, t("lobby.about.analyse"), analyse, edit),
    ),
  );

  function show() {
    motion.hidden = wantsCalm();
    motion.textContent = still ? "▶" : "❚❚";
    motion.setAttribute("aria-label", t(still ? "lobby.moving" : "lobby.still"));
    motion.title = t(still ? "lobby.moving" : "lobby.still");
  }

  function toggle() {
    still = !still;
    keepText(KEY, still ? "yes" : "no");
    show();
  }

  // One board moves after another, so that the eye can follow.
  let next = 0;
  const tick = () => {
    if (document.hidden || still || wantsCalm()) return;
    boards[next][1].step();
    next = (next + 1) % boards.length;
  };
  const timer = setInterval(tick, PACE / boards.length);

  async function load() {
    let recorded = null;
    try {
      recorded = await get("/page/recorded.json");
    } catch {
      // The boards stand still.
      return;
    }
    if (ended) return;
    for (const [game, board] of boards) {
      // Nobody has recorded a game of the newest.
      if (recorded[game]) board.load(recorded[game]);
      if (still || wantsCalm()) board.still();
    }
  }

  show();
  load();
  return {
    element,
    end() {
      ended = true;
      clearInterval(timer);
    },
  };
}

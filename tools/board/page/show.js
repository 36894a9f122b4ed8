// The games for a projector, without the page's header: the running game, then the next one; while
// none runs the standings, where there are any, and the last game once more.
//
// Everything is large. What is shown follows from the list of games alone, so that nobody has to be
// at the machine.

import { rulesOf } from "./api.js";
import { replayTime } from "./autoplay.js";
import { createBoard } from "./board.js";
import { createClocks } from "./clock.js";
import { createEvalBar } from "./evalbar.js";
import { valuesOf } from "./game-thoughts.js";
import { t } from "./language.js";
import { createPlate } from "./plates.js";
import { playSound, soundOf } from "./sound.js";
import { events } from "./streams.js";
import { html } from "./svg.js";
import { show as showStandings } from "./standings.js";
import { otherSide, resultText, sideName, titleOf } from "./words.js";

/** Milliseconds for which a result stays before the next game is shown. */
const RESULT_TIME = 8000;
/** And for which the standings and the replay of the last game take turns. */
const BREAK_TIME = 20_000;
/** Milliseconds for which the end of a replay stays. */
const PAUSE = 4000;

/** The game to show: the one that is shown, while it runs; else the newest that runs; none. */
export function nextGame(games, shown) {
  const running = games.filter(({ phase, result }) => !result && (phase === "playing" || phase === "warmup"));
  return running.find(({ id }) => id === shown) ?? running[0] ?? null;
}

export function show(main, context) {
  document.title = `${t("show.title")} – Alesia`;
  document.body.classList.add("projected");
  const stage = html("div", { class: "show-stage" });
  const note = html("p", { class: "show-note" }, t("show.none"));
  main.append(html("div", { class: "show" }, note, stage));

  let ended = false;
  let games = [];
  let standings = false;
  let view = null; // {kind, id, over, close()}: what is on the stage
  let timer = 0;

  const close = events("/api/lobby/events", {
    lobby(event) {
      games = event.games;
      standings = event.standings;
      choose();
    },
    failed: context.fail,
  });

  /** Puts something on the stage, in place of what was there. */
  function put(kind, id, open) {
    if (view?.kind === kind && view.id === id) return;
    view?.close();
    clearTimeout(timer);
    stage.replaceChildren();
    note.hidden = kind !== "nothing";
    stage.dataset.show = kind;
    view = { kind, id, over: false, close: () => {} };
    view.close = open() ?? view.close;
  }

  function choose() {
    if (ended) return;
    const next = nextGame(games, view?.id);
    if (view?.kind === "game") {
      // Its result stays for a while.
      if (next?.id !== view.id && !view.over) timer = setTimeout(moveOn, RESULT_TIME);
      view.over = next?.id !== view.id;
    } else if (next) put("game", next.id, () => openGame(next.id, false));
    else if (!["standings", "replay"].includes(view?.kind)) rest("standings");
  }

  function moveOn() {
    const next = nextGame(games, null);
    if (next) put("game", next.id, () => openGame(next.id, false));
    else rest("standings");
  }

  /** Between games the standings and the last game take turns. */
  function rest(wanted) {
    const last = games.find(({ result, plies }) => result && plies > 0);
    const kind = wanted === "standings" && standings ? "standings" : last ? "replay" : standings ? "standings" : "nothing";
    if (kind === "standings") put(kind, "", () => showStandings(stage, { ...context, say: () => {} }));
    else if (kind === "replay") put(kind, last.id, () => openGame(last.id, true));
    else put(kind, "", () => null);
    clearTimeout(timer);
    if (standings && last) timer = setTimeout(() => rest(kind === "standings" ? "replay" : "standings"), BREAK_TIME);
  }

  /** A game on the stage: followed while it runs, or replayed again and again. */
  function openGame(id, replayed) {
    let state = null;
    let parts = null;
    let thinking = { white: null, black: null };
    let shown = null;
    let step = 0;
    let gone = false;

    function draw() {
      if (!parts) return;
      const at = shown ?? state.moves.length;
      const last = state.moves[at - 1];
      const live = at === state.moves.length;
      parts.board.show({
        rows: last ? last.rows : state.start.rows,
        side: live ? state.now.side : last ? otherSide(last.side) : state.start.side,
        cells: last ? [last.from, last.to, last.also].filter(Boolean) : [],
        check: live ? state.now.check : null,
        ply: state.start.ply + at,
      });
      const values = valuesOf(state, thinking);
      const known = values[at] ?? values[at - 1] ?? null;
      parts.bar.hide(!values.some((value) => value !== null));
      parts.bar.show({ value: known, flipped: false });
      for (const side of ["white", "black"]) parts.plates[side].show(state, false);
      const over = state.result && live;
      const side = sideName(state.game, (state.moves[at] ?? state.now).side);
      parts.status.textContent = over ? resultText(state.game, state.result.text) : t("status.toMove", { side });
      parts.status.classList.toggle("over", Boolean(over));
      parts.move.textContent = last ? t("show.move", { n: Math.floor((state.start.ply + at - 1) / 2) + 1, move: last.move }) : "";
    }

    async function build() {
      const rules = await rulesOf(context.rules, state.game).catch(context.fail);
      if (!rules || gone || parts) return;
      const plates = { white: createPlate(state.game, "white"), black: createPlate(state.game, "black") };
      const box = html("div", { class: "show-board" });
      const board = createBoard(box, rules);
      const [status, move] = ["status", "move"].map((name) => html("p", { class: `show-${name}` }));
      const title = html("h1", {}, [titleOf(context.rules, state.game), replayed && t("show.last")].filter(Boolean).join(" · "));
      const side = html("div", { class: "show-side" }, title, plates.black.element, html("div", {}, status, move), plates.white.element);
      parts = { plates, board, status, move, bar: createEvalBar(board.element), clocks: createClocks({ white: plates.white.face, black: plates.black.face }) };
      stage.replaceChildren(html("div", { class: "show-game", "data-game-id": id }, box, side));
      parts.clocks.set(state.clock);
      draw();
      if (replayed) step = setTimeout(next, PAUSE);
    }

    /** The next position of a replay; after the last one it begins again. */
    function next() {
      const at = shown ?? state.moves.length;
      shown = at === state.moves.length ? 0 : at + 1;
      draw();
      step = setTimeout(next, shown === state.moves.length ? PAUSE : Number(replayTime()));
    }

    function take(now) {
      const before = state;
      state = now;
      thinking = { white: null, black: null };
      if (!parts) return build();
      parts.clocks.set(state.clock);
      const ending = state.result && !before.result;
      if (ending || state.moves.length > before.moves.length) playSound(ending ? "end" : soundOf(state.moves.at(-1)));
      draw();
    }

    const closeStream = events(`/api/games/${id}/events`, {
      game: take,
      change: ({ from, moves, ...rest }) => state && take({ ...state, ...rest, moves: [...state.moves.slice(0, from), ...moves] }),
      thinking({ side, report }) {
        thinking[side] = report;
        if (state) draw();
      },
      failed: context.fail,
    });

    return () => {
      gone = true;
      clearTimeout(step);
      closeStream();
      parts?.clocks.stop();
    };
  }

  return () => {
    ended = true;
    clearTimeout(timer);
    view?.close();
    close();
    document.body.classList.remove("projected");
  };
}

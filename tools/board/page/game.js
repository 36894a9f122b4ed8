// One game, to watch or to play. Only the server's events change the board: an action is sent, and
// its event follows. This module has the state and passes it to the parts.

import { html } from "./svg.js";
import { insist, invitation, outer, post, rulesOf, seats } from "./api.js";
import { keepText, recallText } from "./memory.js";
import { events } from "./streams.js";
import { createBoard } from "./board.js";
import { createDownload } from "./download.js";
import { createEvalBar } from "./evalbar.js";
import { createHereLink } from "./from-here.js";
import { createGameArrows } from "./game-arrows.js";
import { reportAt, reportsUntil, valuesOf } from "./game-thoughts.js";
import { guideButton } from "./guide.js";
import { createClocks } from "./clock.js";
import { clickCells } from "./marks.js";
import { createMoves } from "./moves.js";
import { createNotices, newsOf } from "./notices.js";
import { createPlate } from "./plates.js";
import { createQuestion } from "./question.js";
import { createThoughts, thinks } from "./thought.js";
import { createAgain } from "./game-again.js";
import { playSound, soundOf } from "./sound.js";
import { createTeach } from "./teach.js";
import { specialStart } from "./starts.js";
import { joinGame } from "./lobby.js";
import { fromServer, t } from "./language.js";
import { sideName, otherSide, percent, sentence, titleOf, written } from "./words.js";

/** Whether a person wants to see what the engine thinks that they play against. */
const VEIL = "alesia-thoughts";

export function show(main, context) {
  // As it stands in the address: names of games need no escapes, and others are not found.
  const id = context.path.split("/")[2] ?? "";
  document.title = t("game.title");
  let ended = false;
  let beginning = false;
  let parts = null;
  let state = null;
  let shown = null;
  let flipped = false;
  let busy = false;
  let hinting = false;
  let hint = null;
  let arrived = null;
  let thinking = { white: null, black: null };
  let ahead = null; // {from, to}: a move that was entered while the other side thinks
  let looked = null; // {ply, move}: what an engine considered, and is pointed at

  const arrows = createGameArrows({ onChange: () => parts && drawBoard() });

  const question = createQuestion(main);
  const fail = (error) => context.fail(error, state?.game);
  const mine = () => Object.keys(seats(id)).filter((side) => seats(id)[side]);
  const token = (side) => seats(id)[side];
  const at = () => shown ?? state.moves.length;
  const playable = () => state.phase === "playing" && !busy && shown === null;
  const myTurn = () => playable() && mine().includes(state.now.side);

  /** Sends an action; a refusal is shown and changes nothing. */
  async function send(action, body) {
    busy = true;
    draw();
    try {
      const answer = await post(`/api/games/${id}/${action}`, body);
      // No second move in the old position before the new one has arrived.
      if (action === "move") await positionAfter(body.ply);
      return answer;
    } catch (error) {
      if (!ended) fail(error);
      return null;
    } finally {
      busy = false;
      if (!ended) draw();
    }
  }

  /** What an action on the shown position names, so that it is refused on any other. */
  const acting = (side) => ({ token: token(side), ply: state.now.ply, version: state.version });

  const play = (move) => send("move", { ...acting(state.now.side), move: move.move });

  /** Keeps a move for the next turn, or forgets it. */
  function enterAhead(move) {
    ahead = move;
    drawBoard();
  }

  /** What the board needs to know to let a move be entered ahead; null where none can be. */
  function aheadNow() {
    const [own, ...more] = mine();
    const waits = own && !more.length && state.phase === "playing" && shown === null && !looked && state.now.side !== own;
    return waits ? { side: own, places: state.now.legal.every(({ from }) => from === null), move: ahead } : null;
  }

  /** Plays what was entered ahead, if the rules allow it now. */
  function playAhead() {
    if (!ahead || !myTurn()) return;
    const { from, to } = ahead;
    ahead = null;
    const fits = state.now.legal.filter((move) => move.from === from && clickCells(move).includes(to));
    const move = fits.find((fit) => fit.to === to) ?? fits[0];
    if (move) play(move);
    else context.say(t("game.aheadNot", { move: [from, to].filter(Boolean).join("–") }));
  }

  /** Resolves when the position is another one; an event that got lost must not stop the game. */
  function positionAfter(ply) {
    if (state.now.ply !== ply) return null;
    return new Promise((resolve) => {
      arrived = resolve;
      setTimeout(resolve, 2000);
    });
  }

  function undo() {
    const last = state.moves.at(-1)?.side;
    const side = mine().length === 2 ? last : mine()[0];
    return send("undo", acting(side));
  }

  /** Requests a hint; the game may continue meanwhile, and a late hint is dropped. */
  async function askHint() {
    const { version } = state;
    const late = () => ended || state.version !== version;
    hinting = true;
    draw();
    try {
      const { move, report } = await post(`/api/games/${id}/hint`, acting(state.now.side));
      if (late()) return;
      hint = { move, label: report.value === null ? "" : percent(report.value) };
      context.say(t(hint.label ? "game.hintedValue" : "game.hinted", { move: written(move), value: hint.label }));
    } catch (error) {
      if (!late()) fail(error);
    } finally {
      hinting = false;
      if (!ended) draw();
    }
  }

  function resign() {
    const side = mine().length === 2 ? state.now.side : mine()[0];
    const words = { text: t("game.resigns", { side: sideName(state.game, side) }), yes: t("game.resign"), no: t("game.keepPlaying") };
    question.ask({ name: "resign", ...words, phase: state.phase }, () => send("resign", { token: token(side) }));
  }

  /** The same request removes a game that has not begun. */
  function cancel() {
    const words = { text: t("game.cancels"), yes: t("game.cancel"), no: t("game.keepWaiting") };
    question.ask({ name: "cancel", ...words, phase: state.phase }, () => send("resign", { token: token(mine()[0]), cancel: true }));
  }

  function step(to) {
    const last = state.moves.length;
    const next = { first: 0, back: at() - 1, on: at() + 1, live: last }[to] ?? to;
    const bounded = Math.max(0, Math.min(last, next));
    if (bounded === at() + 1) playSound(soundOf(state.moves[bounded - 1]));
    shown = bounded === last ? null : bounded;
    looked = null;
    draw();
  }

  function onKey(event) {
    if (!state || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    const to = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "live" }[event.key];
    if (!to) return;
    event.preventDefault();
    step(to);
  }

  function build(rules) {
    const title = [titleOf(context.rules, state.game), specialStart(rules, state.game, state.start.board)].filter(Boolean).join(" · ");
    const notices = createNotices(title, { ...invitation(`/game/${id}`, context.rules), elsewhere: context.rules.elsewhere }, {
      join: (side) => joinGame(context, id, side),
      agree: () => send("undo", { ...acting(otherSide(state.undo_asked)), agree: true }),
    });
    const plates = { white: createPlate(state.game, "white"), black: createPlate(state.game, "black") };
    const button = (action, text, act) => html("button", { type: "button", "data-action": action, onclick: act }, text);
    const middle = html("div", { class: "game-middle" });
    const panels = html("div", { class: "game-panels" });
    const flip = button("flip", t("game.flip"), () => {
      flipped = !flipped;
      draw();
    });
    parts = {
      notices,
      plates,
      flip,
      hint: button("hint", t("game.hint"), askHint),
      undo: button("undo", t("game.undo"), undo),
      resign: button("resign", t("game.resign"), resign),
      cancel: button("cancel", t("game.cancel"), cancel),
      again: createAgain({ context, rules, state: () => state, mine, fail }),
      analyse: html("a", { class: "button", "data-action": "analyse" }, t("game.analyse")),
      here: createHereLink(),
      board: createBoard(middle, rules, { onMove: play, onAhead: enterAhead }),
      teach: createTeach({ game: state.game, fail, say: context.say, onChange: draw, onUndo: undo }),
      moves: createMoves(panels, { onStep: step }),
      thoughts: createThoughts(panels, {
        onPly: step,
        onLook(next) {
          looked = next;
          drawBoard();
        },
        onVeil(veil) {
          keepText(VEIL, veil ? "veiled" : "shown");
          draw();
        },
      }),
      clocks: createClocks({ white: plates.white.face, black: plates.black.face }),
    };
    parts.bar = createEvalBar(parts.board.element);
    parts.download = createDownload({ state: () => state, rules, board: parts.board.element, fail });
    middle.append(
      html(
        "div",
        { class: "game-actions" },
        ...[parts.teach.note, parts.hint, parts.undo, flip, parts.resign, parts.cancel, ...parts.again.elements, parts.analyse, parts.here.element, guideButton(rules, fail), parts.teach.control, parts.download.element],
      ),
    );
    middle.style.setProperty("--board-ratio", parts.board.element.style.getPropertyValue("--board-ratio"));
    parts.middle = middle;
    parts.usual = rules.starts.find(({ id: name }) => name === state.game)?.board;
    main.replaceChildren(html("div", { class: "game-view" }, notices.element, middle, panels));
    flipped = mine().length === 1 && mine()[0] === "black";
  }

  /** Whether a person plays here against an engine. */
  function isTaught() {
    const own = mine();
    return own.length === 1 && state.seats[otherSide(own[0])].kind === "engine";
  }

  /** While one plays against an engine, its thoughts are veiled unless they are asked for. */
  function veiled() {
    const own = mine();
    if (state.result || own.length !== 1 || !thinks(state.seats[otherSide(own[0])])) return null;
    return recallText(VEIL) !== "shown";
  }

  /** The figures of the engines: the bar, the graph, the reports. */
  function drawThoughts() {
    const known = valuesOf(state, thinking);
    const k = at();
    const hidden = veiled();
    const said = reportsUntil(state, thinking, k);
    for (const entry of Object.values(said)) if (entry) arrows.note(entry.ply, entry.report);
    const none = !known.some((value) => value !== null) && !Object.values(state.seats).some(thinks);
    parts.bar.hide(hidden === true || none);
    // An engine against a person knows every second position.
    parts.bar.show({ value: known[k] ?? known[k - 1] ?? null, flipped });
    parts.thoughts.show(state, said, { veiled: hidden, values: known, ply: k });
  }

  /** The shown position, or the one in which a move was considered that is pointed at. */
  function drawBoard() {
    const k = looked?.ply ?? at();
    const last = state.moves[k - 1];
    const live = k === state.moves.length;
    parts.board.show({
      rows: last ? last.rows : state.start.rows,
      side: live ? state.now.side : last ? otherSide(last.side) : state.start.side,
      legal: myTurn() && !looked ? state.now.legal : [],
      cells: last ? [last.from, last.to, last.also].filter(Boolean) : [],
      check: live ? state.now.check : null,
      arrows: arrowsAt(k),
      flipped,
      ply: state.start.ply + k,
      ahead: aheadNow(),
    });
  }

  /** The line that is pointed at; or a hint, or what an engine considers or considered in a position. */
  function arrowsAt(k) {
    if (looked) return arrows.line(state, k, looked.move);
    if (hint && shown === null) return [{ move: hint.move, weight: 1, label: hint.label, kind: "best" }];
    if (veiled()) return [];
    const report = reportAt(state, thinking, k);
    return report ? arrows.candidates(state, k, report) : [];
  }

  /** What a new game may begin from: not from where one plays on, nor from where the rules ended it. */
  function origin(k) {
    const live = k === state.moves.length;
    if (live && (mine().length > 0 && !state.result || !state.now.legal.length)) return null;
    const moves = state.moves.slice(0, k).map((move) => move.move);
    const { board } = state.start;
    return { game: state.game, board: board === parts.usual ? undefined : board, moves };
  }

  function draw() {
    if (!parts) return;
    const k = at();
    const own = mine();
    parts.notices.show(state, own, shown);
    for (const side of ["white", "black"]) parts.plates[side].show(state, own.includes(side));
    const [upper, lower] = flipped ? ["white", "black"] : ["black", "white"];
    if (parts.middle.firstElementChild !== parts.plates[upper].element) {
      parts.middle.prepend(parts.plates[upper].element);
      parts.board.element.after(parts.plates[lower].element);
      for (const side of [upper, lower]) parts.plates[side].element.classList.toggle("upper", side === upper);
      for (const side of [upper, lower]) parts.plates[side].element.classList.toggle("lower", side === lower);
    }
    drawBoard();
    parts.teach.show(state, isTaught());
    parts.moves.show(state, shown, parts.teach.faults);
    drawThoughts();
    const over = Boolean(state.result);
    const held = own.length > 0;
    const toggle = (part, visible, enabled = true) => {
      part.hidden = !visible;
      part.disabled = !enabled;
    };
    const waiting = state.phase === "waiting";
    parts.hint.textContent = t(hinting ? "game.thinking" : "game.hint");
    toggle(parts.hint, held && !over && !waiting, myTurn() && !hinting);
    toggle(parts.undo, held && !over && !waiting, !busy && state.moves.some((move) => own.includes(move.side)) && state.undo_asked === null);
    toggle(parts.resign, held && !over && !waiting, !busy);
    toggle(parts.cancel, held && waiting, !busy);
    parts.again.show();
    parts.download.show(state.result);
    parts.here.show(origin(k));
    parts.analyse.href = outer(`/analyse?id=${encodeURIComponent(id)}${shown === null ? "" : `&ply=${k}`}`);
  }

  /** The next state. The whole game is news too: it comes after a cut stream. */
  function take(next) {
    const before = state;
    state = next;
    if (shown !== null && shown >= state.moves.length) shown = null;
    const other = before.moves.findIndex((move, i) => state.moves[i]?.move !== move.move);
    const same = other < 0 ? before.moves.length : other;
    const moves = state.moves.slice(same);
    if (other >= 0) arrows.clear();
    if (other >= 0 || state.result) ahead = null;
    if (state.version !== before.version || moves.length) {
      hint = null;
      looked = null;
      thinking = { white: null, black: null };
      // The new position can be played on, though the answer to the move may still be on its way.
      busy = false;
    }
    arrived?.();
    question.drop(state.phase);
    if (!parts) return;
    parts.clocks.set(state.clock);
    if (isTaught()) parts.teach.follow(before, state, same, mine()[0]);
    draw();
    const ending = state.result && !before.result;
    if (ending || moves.length) playSound(ending ? "end" : soundOf(moves.at(-1)));
    if (moves.length || ending) context.say(newsOf(state, moves, mine()));
    else if (other >= 0) context.say(t("game.takenBack"));
    playAhead();
  }

  function onGame(game) {
    thinking = { white: null, black: null };
    if (state) take(game);
    else state = game;
    if (!parts) begin();
  }

  /** Builds the view as soon as the rules of the game are there; meanwhile the state may change. */
  async function begin() {
    if (beginning) return;
    beginning = true;
    let rules = null;
    try {
      rules = await insist(() => rulesOf(context.rules, state.game), fail, () => !ended);
    } catch (error) {
      if (!ended) fail(error);
    }
    beginning = false;
    if (ended || !rules) return;
    context.clear();
    build(rules);
    document.title = `${titleOf(context.rules, state.game)} – Alesia`;
    parts.clocks.set(state.clock);
    draw();
  }

  function onChange({ from, moves, ...rest }) {
    if (state) take({ ...state, ...rest, moves: [...state.moves.slice(0, from), ...moves] });
  }

  function onThinking({ side, report }) {
    thinking[side] = report;
    if (!state || !parts || shown !== null) return;
    drawThoughts();
    drawBoard();
  }

  function missing(head, text) {
    ended = true;
    parts?.clocks.stop();
    parts = null;
    main.replaceChildren(
      html("div", { class: "panel missing" }, html("h1", {}, head), html("p", {}, sentence(fromServer(text))), html("a", { class: "button main", href: outer("/") }, t("game.back"))),
    );
  }

  main.append(html("p", { class: "quiet-text" }, t("game.loading")));
  const close = events(`/api/games/${id}/events`, {
    game: onGame,
    change: onChange,
    thinking: onThinking,
    gone: () => {
      close();
      missing(t("game.missing"), t("game.removed"));
    },
    failed: ({ status, message }) => missing(t(status === 403 ? "game.refused" : "game.missing"), message),
  });
  document.addEventListener("keydown", onKey);

  return () => {
    ended = true;
    close();
    parts?.clocks.stop();
    parts?.thoughts.end();
    parts?.teach.end();
    parts?.moves.end();
    arrows.end();
    document.removeEventListener("keydown", onKey);
  };
}

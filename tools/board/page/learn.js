// A guided first game: positions of one game with a task each, checked by the rules, and then a
// game against the weakest level. The lesson is data (see lesson-goal.js); the address names the
// task.

import { get, outer, post, rulesOf } from "./api.js";
import { createBoard } from "./board.js";
import { guideButton } from "./guide.js";
import { language, t } from "./language.js";
import { isReached } from "./lesson-goal.js";
import { keep, recall } from "./memory.js";
import { startQuick } from "./newgame.js";
import * as nowhere from "./nowhere.js";
import { playSound, soundOf } from "./sound.js";
import { html } from "./svg.js";
import { engineName, written } from "./words.js";

/** The tasks of each game that this browser has solved: {murus: [0, 1]}. */
const KEY = "alesia-lessons";
/** Milliseconds before an answer of the other side, and between the moves of a solution. */
const PAUSE = 700;

export function show(main, context) {
  const game = context.path.split("/")[2];
  const rules = context.rules.games.find(({ id }) => id === game);
  if (!rules) return nowhere.show(main, context);
  const { title } = rules;
  document.title = `${t("learn.title", { title })} – Alesia`;

  let ended = false;
  let turn = 0; // counts what was begun, so that what is late is dropped
  let steps = [];
  let at = 0;
  let moves = [];
  let now = null; // the answer about the shown position
  let phase = "task"; // "task", "wait", "wrong", "done" or "shown"
  let board = null;

  const list = html("ol", { class: "learn-steps", "aria-label": t("learn.steps") });
  const head = html("h2", {});
  const task = html("p", { class: "learn-task" });
  const said = html("p", { class: "learn-said", role: "status" });
  const button = (action, text, onclick, kind = "") =>
    html("button", { type: "button", class: kind, "data-action": action, onclick }, text);
  const next = button("next", t("learn.next"), () => (at + 1 < steps.length ? open(at + 1) : finish()), "main");
  const again = button("again", t("learn.again"), () => begin());
  const solve = button("solve", t("learn.solve"), playSolution);
  const actions = html("div", { class: "learn-actions" }, next, again, solve, guideButton(rules, context.fail));
  const ending = html("div", { class: "learn-actions" });
  const boardBox = html("div", { class: "learn-board" });
  const text = html("section", { class: "panel learn-text", "aria-label": t("learn.task") }, head, task, html("div", { class: "learn-answer" }, said, actions, ending));
  main.append(html("div", { class: "learn" }, html("div", { class: "learn-head" }, html("h1", {}, t("learn.title", { title })), list), text, boardBox));

  const step = () => steps[at];
  const solved = () => recall(KEY)[game] ?? [];
  const ask = (line) => post("/api/positions", { game: step().game ?? game, board: step().board, moves: line });
  const later = (pause) => new Promise((resolve) => setTimeout(resolve, pause));

  /** Runs what may be overtaken: `isLate()` says that something else has begun meanwhile. */
  async function run(act) {
    const mine = ++turn;
    try {
      await act(() => ended || mine !== turn);
    } catch (error) {
      if (!ended && mine === turn) context.fail(error, game);
    }
  }

  /** Goes to a task, with its board. */
  function open(number) {
    at = number;
    history.replaceState(history.state, "", outer(`/learn/${game}?step=${at + 1}`));
    run(async (isLate) => {
      const size = await rulesOf(context.rules, step().game ?? game);
      if (isLate()) return;
      boardBox.replaceChildren();
      board = createBoard(boardBox, size, { onMove: (move) => play(move.move) });
      begin();
    });
  }

  /** Begins the task anew. */
  function begin() {
    run(async (isLate) => {
      const start = await ask([]);
      if (isLate()) return;
      moves = [];
      take(start, "task");
    });
  }

  function take(answer, then) {
    now = answer;
    phase = then;
    draw();
  }

  /** A move of the learner, and what it is worth. */
  function play(move) {
    run(async (isLate) => {
      const before = now;
      const goals = step().goals;
      const after = await ask([...moves, move]);
      if (isLate()) return;
      const number = Math.floor(moves.length / 2);
      moves = after.moves.map((played) => played.move);
      playSound(after.result ? "end" : soundOf(after.moves.at(-1)));
      if (!isReached(goals[number], before, after)) return take(after, "wrong");
      if (number + 1 === goals.length) {
        keep(KEY, { ...recall(KEY), [game]: [...new Set([...solved(), at])] });
        take(after, "done");
        next.focus({ preventScroll: true });
        return;
      }
      take(after, "wait");
      await later(PAUSE);
      if (isLate()) return;
      const legal = after.now.legal.map((reply) => reply.move);
      const reply = step().replies[number].find((wanted) => legal.includes(wanted)) ?? legal[0];
      const answer = await ask([...moves, reply]);
      if (isLate()) return;
      moves.push(reply);
      playSound(soundOf(answer.moves.at(-1)));
      take(answer, "task");
    });
  }

  /** Plays one solution, move by move. */
  function playSolution() {
    run(async (isLate) => {
      for (let count = 0; count <= step().solution.length; count++) {
        const answer = await ask(step().solution.slice(0, count));
        if (isLate()) return;
        moves = answer.moves.map((played) => played.move);
        take(answer, count === step().solution.length ? "shown" : "wait");
        await later(PAUSE);
        if (isLate()) return;
      }
    });
  }

  function words() {
    const last = now.moves.at(-1);
    if (phase === "done") return step()[language()].done;
    if (phase === "wrong") return t("learn.wrong", { move: written(last) });
    if (phase === "shown") return t("learn.shown");
    return phase === "task" && last ? t("learn.goOn", { move: written(last) }) : "";
  }

  function draw() {
    const last = now.moves.at(-1);
    board.show({
      rows: now.now.rows,
      side: now.now.side,
      legal: phase === "task" ? now.now.legal : [],
      cells: last ? [last.from, last.also, last.to].filter(Boolean) : [],
      check: now.now.check,
      flipped: false,
      ply: now.now.ply,
    });
    actions.hidden = false;
    ending.replaceChildren();
    head.textContent = step()[language()].title;
    task.textContent = step()[language()].task;
    said.textContent = words();
    said.dataset.phase = phase;
    next.hidden = phase !== "done";
    again.hidden = !moves.length || phase === "wait";
    solve.hidden = phase === "done" || phase === "wait";
    again.classList.toggle("main", phase === "wrong" || phase === "shown");
    drawList();
  }

  function drawList() {
    const done = solved();
    const entry = (one, i) => {
      const name = t(done.includes(i) ? "learn.stepDone" : "learn.step", { n: i + 1, title: one[language()].title });
      const go = html("button", { type: "button", "aria-label": name, title: one[language()].title, onclick: () => open(i) }, done.includes(i) ? "✓" : String(i + 1));
      if (i === at) go.setAttribute("aria-current", "step");
      return html("li", { class: done.includes(i) ? "done" : "" }, go);
    };
    list.replaceChildren(...steps.map(entry));
  }

  /** After the last task: a game against the weakest level. */
  function finish() {
    turn++;
    const [level] = context.rules.levels;
    const play = () => startQuick(context, game, level);
    head.textContent = t("learn.end");
    task.textContent = t("learn.endText", { title, name: engineName(level) });
    said.textContent = "";
    said.dataset.phase = "end";
    const first = button("first-game", t("learn.play", { name: engineName(level) }), play, "main");
    const back = html("a", { class: "button", href: outer("/") }, t("game.back"));
    actions.hidden = true;
    ending.replaceChildren(first, button("repeat", t("learn.repeat"), () => context.navigate(`/learn/${game}`)), back);
    first.focus({ preventScroll: true });
  }

  run(async (isLate) => {
    const lesson = await get(`/page/lesson-${game}.json`);
    if (isLate()) return;
    steps = lesson.steps;
    const asked = Number(context.query.get("step")) - 1;
    open(steps[asked] ? asked : 0);
  });

  return () => {
    ended = true;
  };
}

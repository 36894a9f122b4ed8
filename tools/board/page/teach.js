// Teaching in a game against an engine: what each move of the person has lost is found as in the
// review of a game. Bad moves are marked in the list; one that loses much can be taken back at
// once.
//
//   createTeach({game, fail, say, onChange, onUndo})
//     → { control, note, faults, show(state, offered), follow(before, state, same), end() }
//
// `control` is the button that turns it on and off, `note` the sentence among the buttons;
// `faults` has {mark, loss} of bad moves by the number of the move. `offered` says that a person
// plays against an engine.
// `onChange()` asks to be shown again, `onUndo()` to take the person's last move back.

import { SYMBOLS } from "./analyse-moves.js";
import { post } from "./api.js";
import { t } from "./language.js";
import { keepText, recallText } from "./memory.js";
import { events } from "./streams.js";
import { html } from "./svg.js";
import { percent, written } from "./words.js";

/** Whether this person wants to be taught. */
const KEY = "alesia-teach";
/** Milliseconds for the position before the move, and for the one after it. */
const TIME = 300;
/** A move with another mark is not worth an interruption. */
const LOSES_MUCH = new Set(["mistake", "blunder"]);

export function createTeach({ game, fail, say, onChange, onUndo }) {
  const faults = new Map();
  let judged = null; // {number, move, fault}: the person's last move, as far as it is known
  let run = null;

  const isOn = () => recallText(KEY) === "on";
  const control = html("button", { type: "button", "data-action": "teach", title: t("teach.about"), onclick: choose }, t("teach"));
  const text = html("span", {});
  const back = html("button", { type: "button", class: "main", "data-action": "teach-undo", onclick: onUndo }, t("teach.undo"));
  const note = html("div", { class: "bar teach-note", "data-bar": "teach", hidden: true }, text, back);

  function choose() {
    keepText(KEY, isOn() ? "off" : "on");
    forget(0);
    onChange();
  }

  /** What was said of moves from a number on holds no more. */
  function forget(number) {
    for (const known of faults.keys()) if (known >= number) faults.delete(known);
    if (!judged || judged.number < number) return;
    stop();
    judged = null;
  }

  function stop() {
    if (!run) return;
    run.close?.();
    if (run.id) post(`/api/reviews/${run.id}/stop`, {}, { keepalive: true }).catch(() => {});
    run = null;
  }

  /** Finds what a move in the position of a text board has lost. */
  async function judge(number, board, move) {
    stop();
    const now = { id: null, close: null };
    const failed = (error) => {
      if (run !== now) return;
      run = null;
      fail(error);
    };
    run = now;
    judged = { number, move, fault: null };
    try {
      const { id } = await post("/api/reviews", { game, board, moves: [move.move], engine: "mcts", ms: TIME });
      if (run !== now) return void post(`/api/reviews/${id}/stop`).catch(() => {});
      now.id = id;
    } catch (error) {
      failed(error);
      return;
    }
    now.close = events(`/api/reviews/${now.id}/events`, {
      review({ plies, finished }) {
        if (run !== now || !finished) return;
        now.id = null;
        stop();
        const [{ mark, loss, value } = {}] = plies;
        if (!mark) return;
        judged.fault = { mark, loss, before: move.side === "white" ? value : 1 - value };
        faults.set(number, judged.fault);
        onChange();
        if (!note.hidden) say(text.textContent);
      },
      failed,
    });
  }

  return {
    control,
    note,
    faults,
    show(state, offered) {
      control.hidden = !offered || Boolean(state.result);
      control.setAttribute("aria-pressed", String(isOn()));
      const { fault, move } = judged ?? {};
      note.hidden = !offered || !LOSES_MUCH.has(fault?.mark);
      if (note.hidden) return;
      const { mark, loss, before } = fault;
      const values = { before: percent(before), after: percent(Math.max(0, before - loss)) };
      note.className = `bar teach-note ${mark}`;
      text.textContent = t("teach.lost", { move: written(move), symbol: SYMBOLS[mark], mark: t(`mark.${mark}`), ...values });
    },
    /** The moves from number `same` on are new or were taken back; `own` is the person's side. */
    follow(before, state, same, own) {
      forget(same);
      const move = state.moves[same];
      // Only of the position before the first new move there is a text board.
      const isLast = same === before.moves.length && move?.side === own;
      if (!isLast) return;
      judged = null;
      if (isOn()) judge(same, before.now.board, move);
    },
    end: stop,
  };
}

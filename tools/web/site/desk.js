// A Web Worker with a session of the module (../worker.js), asked one question after the other.

import { keep, recall } from "../page/memory.js";

/** Milliseconds without a word after which a worker counts as lost; the first word needs the files. */
const PATIENCE = 10_000;
const FIRST_PATIENCE = 60_000;

/** Where the definitions of played variants are remembered: {game: {text, name}}. */
const DEFINITIONS = "alesia-definitions";

/** The error of a question: its status is that of a server. */
export function refusal(message, status) {
  return Object.assign(new Error(message), { status });
}

/** Remembers what a game by definition is, for workers to come. */
export const define = (game, text, name) => keep(DEFINITIONS, { ...recall(DEFINITIONS), [game]: { text, name } });

export class Desk {
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  #asked = new Map();
  #id = 0;
  #answered = false;
  #defined = new Set();

  constructor() {
    this.#worker.onmessage = ({ data: { id, done, ...said } }) => {
      this.#answered = true;
      const question = this.#asked.get(id);
      if (!question) return;
      if (!done) {
        question.wait();
        question.hear(said);
        return;
      }
      this.#asked.delete(id);
      clearTimeout(question.timer);
      if (said.error) question.fail(refusal(said.error, 400));
      else question.resolve(said);
    };
    this.#worker.onerror = () => this.end();
  }

  /** The answer; `hear` gets what is said meanwhile. Rejects if the worker is lost. */
  ask(question, hear = () => {}, patience = PATIENCE) {
    return new Promise((resolve, fail) => {
      const id = ++this.#id;
      const wait = () => {
        clearTimeout(asked.timer);
        asked.timer = setTimeout(() => this.end(), Math.max(patience, this.#answered ? 0 : FIRST_PATIENCE));
      };
      const asked = { resolve, fail, hear, wait, timer: 0 };
      this.#asked.set(id, asked);
      wait();
      if (!this.#worker) return this.end();
      this.#worker.postMessage({ id, ...question });
    });
  }

  /** What the server would answer to a request. */
  async request(path, body) {
    await this.know(body.game ?? path.split("/").at(-1));
    // A file may have thousands of games.
    const patience = path === "/api/records" ? FIRST_PATIENCE : PATIENCE;
    const { answer, refused, status } = await this.ask({ do: "ask", path, body }, () => {}, patience);
    if (refused) throw refusal(refused, status);
    return answer;
  }

  /** Loads the definition of a game, if it has one that was played in this browser. */
  async know(game) {
    const definition = recall(DEFINITIONS)[game];
    if (!definition || this.#defined.has(game)) return;
    this.#defined.add(game);
    await this.ask({ do: "ask", path: "/api/variants", body: definition });
  }

  get lost() {
    return this.#worker === null;
  }

  /** Ends the worker, whatever it does. */
  end() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { fail, timer } of this.#asked.values()) {
      clearTimeout(timer);
      fail(refusal("the engine has stopped", 503));
    }
    this.#asked.clear();
  }
}

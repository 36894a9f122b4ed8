// The engine in a Web Worker, so that a page never waits.
//
// A message is a question with an `id`; what comes back has that `id`, with `done: true` at the
// end. A search without a limit, or with `parts: true`, is done in parts, each of which continues
// the last, until another message comes, such as `{ do: "stop" }`. After a fault the next question
// must be `new`.

import { begin } from "./engine.js";

/** Milliseconds of a part: soon enough for a stop, and long enough that its begin costs nothing. */
const PART = 100;

const file = async (name) => {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
};

/** What has been fetched, by name; what could not be is fetched again when it is next asked for. */
const fetched = new Map();
function once(name, read) {
  const got = fetched.get(name) ?? file(name).then(read);
  fetched.set(name, got);
  got.catch(() => fetched.delete(name));
  return got;
}

const compiled = () => once("alesia.wasm", async (answer) => WebAssembly.compile(await answer.arrayBuffer()));
const places = () => once("weights.json", (answer) => answer.json());

/** Brings the weights of the game that a question names to the session, unless they are there. */
async function equip({ game }) {
  const known = await places();
  for (const name of Object.keys(known).filter((name) => !game || game.startsWith(name))) {
    if (session.equipped.has(name)) continue;
    const bytes = await once(`${name}.bin`, async (answer) => new Uint8Array(await answer.arrayBuffer()));
    session.put(known[name], bytes);
    session.equipped.add(name);
  }
}

let session = null;
/** The `id` of the question at work, and how many wait for its end. */
let current = null;
let waiting = 0;

/** Whether the question has an end of its own, so that its reports are handed on. */
let limited = true;

/** Lets the messages that have come be seen. */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function search({ parts, ms = Infinity, ...question }) {
  const began = performance.now();
  let nodes = 0;
  for (let keep = question.keep ?? false; ; keep = true) {
    const before = performance.now();
    const found = session.ask({ ...question, ms: Math.min(PART, Math.max(1, Math.ceil(ms - (before - began)))), keep });
    if (found.error) return found;
    // A search without a choice or with its memory full ends sooner: not with more messages.
    const rest = Math.min(PART, ms - (before - began)) - (performance.now() - before);
    const only = ms < Infinity && found.report.only && !question.ahead;
    await pause(only ? 0 : Math.max(0, rest));
    const spent = performance.now() - began;
    nodes += found.report.nodes ?? 0;
    if (found.report.nodes !== null) Object.assign(found.report, { nodes, per_second: Math.round((nodes * 1000) / spent) });
    found.report.ms = spent;
    if (waiting > 0 || only || found.report.proof || spent >= ms) return found;
    postMessage({ id: current, ...found });
  }
}

async function answer(question) {
  limited = question.do !== "search" || (!question.parts && Boolean(question.ms || question.nodes));
  try {
    if (question.do === "stop") return {};
    session ??= {
      ...(await begin(await compiled(), (said) => limited && postMessage({ id: current, ...said }))),
      equipped: new Set(),
    };
    if (question.do === "new" || question.do === "bench") await equip(question);
    if (!limited) return await search(question);
    const { parts, ...rest } = question;
    return session.ask(rest);
  } catch (error) {
    session = null;
    return { error: String(error) };
  }
}

/** The answers come one after the other. */
let last = Promise.resolve();
onmessage = ({ data: { id, ...question } }) => {
  waiting += 1;
  last = last.then(async () => {
    waiting -= 1;
    current = id;
    postMessage({ ...(await answer(question)), id, done: true });
  });
};

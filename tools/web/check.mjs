// The module beside a native build: the same bench signatures, and the same answers to the same
// lines, all moves of the roots with all their numbers included. And the Web Worker plays a game.
// Run by tools/checks/web.sh.
//
//   node tools/web/check.mjs MODULE.wasm LINES SIGNATURES [speed]
//
// LINES is the native program (tools/web/examples/lines.rs). With `speed`, how many times as many
// iterations a second of processor time the module runs: at least half as many in each game. That
// needs Linux, and a machine that is quiet: its caches are shared.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { weights } from "./build.mjs";
import { begin } from "./engine.js";
import { split } from "./split.mjs";

const [file, program, signatures, speed] = process.argv.slice(2);
const GAMES = ["murus", "hadron", "loa", "voidrider", "variant:chess"];
/** How often the two take turns, and the least part of the native speed. */
const TURNS = 12;
const LEAST = 0.5;
/** Iterations of a search that is compared. */
const NODES = 2_000;

const files = weights();
const { module: bytes, places } = split(readFileSync(file), files);
const module = await WebAssembly.compile(bytes);

/** The answers of a session that has the weights of these games alone; of all, if none is named. */
async function inModule(questions, game = "") {
  const session = await begin(module);
  for (const name of Object.keys(files)) {
    if (game === "" || game === name) session.put(places[name], files[name]);
  }
  return questions.map((question) => session.ask(question));
}

function inProgram(questions) {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join("");
  const { stdout, status } = spawnSync(program, { input, maxBuffer: 1 << 26 });
  assert.equal(status, 0, `${program} failed`);
  return String(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

/** An answer without what depends on the machine. */
const timeless = (answer) => JSON.stringify(answer, (key, value) => (["ms", "per_second"].includes(key) ? undefined : value));

async function sameAnswers(game) {
  const search = { do: "search", nodes: NODES, all: true };
  const [, first] = await inModule([{ do: "new", game }, search], game);
  const questions = [
    { do: "new", game },
    search,
    { do: "play", move: first.best.move },
    { ...search, keep: true, lines: 2 },
    { do: "play", move: "nothing" },
  ];
  const [ours, theirs] = [await inModule(questions, game), inProgram(questions)];
  questions.forEach((question, n) => assert.equal(timeless(ours[n]), timeless(theirs[n]), JSON.stringify(question)));
  assert.ok(ours[1].top.length > 5 && ours[1].report.nodes === NODES && ours[4].error, "all moves of the root are compared");
  console.log(`${game}: the same, ${ours[1].top.length} moves of the root`);
}

/** The Web Worker in a folder as a page gets it, with what a browser gives it; its first fetch fails. */
async function worker(folder) {
  const heard = new Map();
  let isFirst = true;
  globalThis.fetch = async (url) => {
    const status = isFirst ? 503 : 200;
    isFirst = false;
    return new Response(readFileSync(url), { status });
  };
  globalThis.postMessage = ({ id, ...message }) => heard.get(id)(message);
  globalThis.onmessage = null;
  await import(pathToFileURL(`${folder}/worker.js`));
  let id = 0;
  /** Asks, and hands each report to `hear`; the answer comes at the end. */
  return (question, hear = () => {}) =>
    new Promise((resolve) => {
      id += 1;
      heard.set(id, (message) => (message.done ? resolve(message) : hear(message)));
      globalThis.onmessage({ data: { id, ...question } });
    });
}

async function workerPlays() {
  const folder = mkdtempSync(join(tmpdir(), "alesia-web-"));
  try {
    const build = fileURLToPath(new URL("build.mjs", import.meta.url));
    assert.equal(spawnSync(process.execPath, [build, folder, file], { stdio: "inherit" }).status, 0);
    const ask = await worker(folder);
    const begun = { do: "new", game: "hadron5" };
    assert.match((await ask(begun)).error, /503/, "what cannot be fetched is said");
    let position = await ask(begun);
    assert.equal(position.legal.length, 25, "and fetched again");
    // A search without an end lasts until another question comes, and continues from part to part.
    let reports = 0;
    let visits = 0;
    let stopped = null;
    const endless = await ask({ do: "search" }, ({ top }) => {
      const all = top.reduce((sum, move) => sum + move.visits, 0);
      assert.ok(all >= visits, "the parts are one search");
      visits = all;
      reports += 1;
      if (reports === 3) stopped = ask({ do: "stop" });
    });
    await stopped;
    assert.ok(reports >= 3 && endless.best, JSON.stringify(endless));
    while (!position.result) {
      const { best } = await ask({ do: "search", ms: 20 });
      position = await ask({ do: "play", move: best.move });
    }
    assert.ok(position.result.winner, JSON.stringify(position));
    const { review } = await ask({ do: "review", ms: 5 });
    assert.equal(review.plies.length, position.ply + 1);
    console.log(`worker: a game of ${position.ply} moves: ${position.result.text}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds that the processor worked for this thread; without those that compile beside it. */
const worked = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;

/** The same for the first search of a session of the module. */
async function spentInModule(game, search) {
  const session = await begin(module);
  if (files[game]) session.put(places[game], files[game]);
  session.ask({ do: "new", game });
  // The engine is built.
  session.ask({ do: "search", nodes: 1 });
  const before = worked();
  session.ask(search);
  return worked() - before;
}

/** The same for a search of the program, from this and one that only builds its engine. */
function spentInProgram(game, search) {
  const [all, rest] = [search, { ...search, nodes: 1 }].map((one) => {
    const input = [{ do: "new", game }, one].map((question) => `${JSON.stringify(question)}\n`).join("");
    const timed = spawnSync("bash", ["-c", 'TIMEFORMAT=%U; time "$0" >/dev/null', program], { input });
    return Number(timed.stderr) * 1e3;
  });
  return all - rest;
}

async function compareSpeed(game) {
  const search = { do: "search", nodes: 60_000 };
  let [ours, theirs] = [Infinity, Infinity];
  for (let turn = 0; turn < TURNS; turn += 1) {
    ours = Math.min(ours, await spentInModule(game, search));
    theirs = Math.min(theirs, spentInProgram(game, search));
  }
  const ratio = theirs / ours;
  console.log(`${game}: ${ratio.toFixed(2)} of the native iterations in a second`);
  assert.ok(ratio >= LEAST, `${game}: found ${ratio.toFixed(2)}, expected at least ${LEAST}`);
}

if (speed) {
  for (const game of GAMES) await compareSpeed(game);
} else {
  for (const line of readFileSync(signatures, "utf8").trim().split("\n")) {
    const [engine, expected] = line.split("\t");
    const [found] = await inModule([{ do: "bench", engine }]);
    assert.equal(found.signature, expected, `${engine}: found ${JSON.stringify(found)}`);
    console.log(`${engine}: signature ${expected}`);
  }
  for (const game of GAMES) await sameAnswers(game);
  await workerPlays();
}

// The games that are played in this browser, and kept in it, as the server has them.

import { keep, recall } from "../page/memory.js";
import { refusal } from "./desk.js";
import { Mind } from "./mind.js";
import { giveBack, takeMind } from "./searches.js";

const KEY = "alesia-games";
/** How many games are kept; the oldest make room. */
const MOST = 40;
const HINT = 1000;
/** Milliseconds between two reports of a thinking engine, and before a lost one is tried again. */
const PACE = 250;
const AGAIN = 1000;

const games = new Map();
const lobby = new Set();
let request = null;

/** `ask(path, body)` answers what needs the rules. */
export const connect = (ask) => (request = ask);

const NAMES = { white: "White", black: "Black" };
const other = (side) => (side === "white" ? "black" : "white");
const stale = (message) => refusal(message, 409);
const positions = ({ game, board }, moves) => request("/api/positions", { game, ...(board && { board }), moves });

function seatOf(wish, side) {
  const { kind, name, engine, ms } = wish;
  if (kind === "me") return { kind: "person", name: name?.trim() || NAMES[side], engine: null, ms: null };
  if (kind !== "engine") throw refusal("this page plays with people at this screen and with engines alone", 400);
  const time = ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
  const level = engine[0].toUpperCase() + engine.slice(1);
  const names = { mcts: `Monte Carlo, ${time}`, alphabeta: `Alpha-beta, ${time}`, random: "Random moves" };
  return { kind: "engine", name: names[engine] ?? level, engine, ms };
}

/** What is kept of a game, with what the list of games shows. */
function store(table) {
  const { id, game, board, given, date, seats, line, decided, bank } = table;
  const { now } = table.shown;
  const listed = { side: now.side, rows: now.rows, result: resultOf(table)?.text ?? null };
  const { [id]: _, ...others } = recall(KEY);
  const kept = Object.entries({ ...others, [id]: { game, board, given, date, seats, line, decided, bank, listed } }).slice(-MOST);
  keep(KEY, Object.fromEntries(kept));
  tellLobby();
}

function listedGames() {
  const list = Object.entries(recall(KEY)).map(([id, { game, seats, line, listed }]) => ({
    id,
    game,
    source: "board",
    title: "",
    white: seats.white.name,
    black: seats.black.name,
    open: [],
    plies: line.length,
    ...listed,
    phase: listed.result ? "over" : "playing",
    listeners: 0,
  }));
  return list.reverse();
}

const tellLobby = () => lobby.forEach((hear) => hear({ games: listedGames(), standings: false }));

/** What ended the game: the rules, or a person who gave up. */
const resultOf = ({ shown, decided }) => shown.result ?? decided;

/** Puts the moves that are kept on the board. */
async function set(table, line, decided) {
  const before = table.version;
  const shown = await positions(table, line.map(({ move }) => move));
  if (before !== table.version) throw stale("the game has continued: this was for another position");
  const from = table.line.findIndex((known, k) => known !== line[k]);
  Object.assign(table, { line, shown, decided, version: before + 1 });
  shown.moves.forEach((move, k) => Object.assign(move, { ms: line[k].ms, report: line[k].report }));
  if (decided) shown.now.legal = [];
  table.running = resultOf(table) ? null : performance.now();
  store(table);
  tell(table, "change", changeOf(table, from < 0 ? Math.min(table.told, line.length) : from));
  table.told = line.length;
  drive(table);
  watchFlag(table);
}

/** Ends a game of people once the side to move has used up its time. */
function watchFlag(table) {
  const { bank, running, version } = table;
  clearTimeout(table.flag);
  if (!bank || running === null) return;
  const side = table.shown.now.side;
  table.flag = setTimeout(() => {
    if (version !== table.version || !table.listeners.size) return;
    const [winner, reason] = [other(side), `${NAMES[side]} ran out of time`];
    set(table, table.line, { winner, reason, text: `${NAMES[winner]} (${reason})`, decided: true }).catch(() => {});
  }, Math.max(0, leftOf(table, side) - (performance.now() - running)));
}

/** The milliseconds that a side had when the running move began. */
const leftOf = ({ shown, bank }, side) =>
  shown.moves.filter((move) => move.side === side && move.ms !== null).reduce((left, { ms }) => left - ms + bank.increment, bank.base);

function clockOf(table) {
  const { shown, running, bank } = table;
  const used = (side) => shown.moves.filter((move) => move.side === side).reduce((all, { ms }) => all + (ms ?? 0), 0);
  return {
    limit: null,
    running: running === null ? null : shown.now.side,
    elapsed: running === null ? 0 : performance.now() - running,
    used: { white: used("white"), black: used("black") },
    bank: bank ?? null,
    left: bank ? { white: leftOf(table, "white"), black: leftOf(table, "black") } : null,
  };
}

function changeOf(table, from) {
  const { shown, version, seats } = table;
  const result = resultOf(table);
  const phase = result ? "over" : "playing";
  return { from, version, phase, moves: shown.moves.slice(from), now: shown.now, result, clock: clockOf(table), seats, undo_asked: null, listeners: 1, unkept: null };
}

const tell = (table, name, data) => table.listeners.forEach((handlers) => handlers[name]?.(structuredClone(data)));

async function find(id) {
  if (games.has(id)) return games.get(id);
  const kept = recall(KEY)[id];
  if (!kept) throw refusal("game not found: it was played in another browser, or others have taken its place", 404);
  const table = { id, ...kept, version: 0, told: 0, running: null, shown: null, listeners: new Set(), minds: {}, driving: false };
  table.shown = await positions(table, table.line.map(({ move }) => move));
  table.shown.moves.forEach((move, k) => Object.assign(move, { ms: table.line[k].ms, report: table.line[k].report }));
  if (table.decided) table.shown.now.legal = [];
  table.told = table.line.length;
  // Another request may have been quicker.
  if (!games.has(id)) games.set(id, table);
  return games.get(id);
}

/** POST /api/games */
export async function create({ game, board, moves = [], white, black, clock: bank = null }) {
  const seats = { white: seatOf(white, "white"), black: seatOf(black, "black") };
  if (bank && Object.values(seats).some(({ engine }) => engine)) throw refusal("clock: found an engine, expected two people", 400);
  const shown = await positions({ game, board }, moves);
  if (shown.result) throw stale(`the game is over: ${shown.result.text}`);
  const id = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join("");
  const line = shown.moves.map(({ move }) => ({ move, ms: null, report: null }));
  const date = new Date().toISOString().slice(0, 10);
  const table = { id, game, board: board ?? null, given: line.length, date, seats, line, decided: null, bank, shown };
  Object.assign(table, { version: 0, told: line.length, running: performance.now(), listeners: new Set(), minds: {}, driving: false });
  games.set(id, table);
  store(table);
  const own = ["white", "black"].filter((side) => seats[side].kind === "person");
  return { id, tokens: Object.fromEntries(own.map((side) => [side, side])) };
}

/** The side that acts, if its page is up to date. */
function current(table, { token, ply, version }) {
  const own = ["white", "black"].filter((side) => table.seats[side].kind === "person");
  if (!own.includes(token)) throw refusal("this seat is not yours: wrong token", 403);
  if (ply !== undefined && (ply !== table.shown.now.ply || version !== table.version)) throw stale("the game has continued: this was for another position");
  return own.length === 2 ? table.shown.now.side : token;
}

function toMove(table, act) {
  const result = resultOf(table);
  if (result) throw stale(`the game is over: ${result.text}`);
  const side = current(table, act);
  if (side !== table.shown.now.side) throw refusal(`it is not your turn: ${NAMES[other(side)]} is to move`, 403);
  return side;
}

const spent = ({ running }) => (running === null ? null : Math.round((performance.now() - running) * 1000) / 1000);

async function move(table, act) {
  toMove(table, act);
  await set(table, [...table.line, { move: act.move, ms: spent(table), report: null }], null).catch((error) => {
    throw error.status === 400 ? refusal(error.message, 422) : error;
  });
  return {};
}

async function undo(table, act) {
  const side = current(table, act);
  const shared = table.seats.white.kind === table.seats.black.kind;
  const mover = shared ? other(table.shown.now.side) : side;
  const turn = table.shown.moves.findLastIndex((move) => move.side === mover);
  if (turn < 0) throw stale("there is no move of yours to take back");
  table.given = Math.min(table.given, turn);
  await set(table, table.line.slice(0, turn), null);
  halt(table);
  return {};
}

async function resign(table, act) {
  const side = current(table, act);
  const over = resultOf(table);
  if (over) throw stale(`the game is over: ${over.text}`);
  const [winner, reason] = [other(side), `${NAMES[side]} resigned`];
  await set(table, table.line, { winner, reason, text: `${NAMES[winner]} (${reason})`, decided: true });
  halt(table);
  return {};
}

async function hint(table, act) {
  toMove(table, act);
  const mind = takeMind();
  try {
    const moves = table.line.map(({ move }) => move);
    const { best, report } = await mind.think({ game: table.game, board: table.board, moves, engine: "mcts", ms: HINT });
    toMove(table, act);
    return { move: best, report };
  } finally {
    giveBack(mind);
  }
}

const ACTIONS = { move, undo, resign, hint };

/** POST /api/games/ID/ACTION */
export async function act(id, action, body) {
  if (!ACTIONS[action]) throw refusal("this needs a server", 404);
  return ACTIONS[action](await find(id), body);
}

/** GET /api/games/ID/record */
export async function record(id, { format }) {
  const table = await find(id);
  const { game, board, given, date, seats, line, shown } = table;
  const result = resultOf(table);
  if (!result) throw stale("this game has no result yet");
  return request("/api/record", {
    game,
    board,
    date,
    white: seats.white.name,
    black: seats.black.name,
    opening: line.slice(0, given).map(({ move }) => move),
    moves: shown.moves.slice(given).map(({ move, side, ms, report }) => ({ move, side, ms, report })),
    winner: result.winner,
    reason: result.reason,
    by_rule: shown.result !== null,
    format,
  });
}

/** Stops what is thought of an earlier position. */
const halt = (table) => Object.values(table.minds).forEach((mind) => mind.stop());

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets the engines of a game play while somebody watches and one is to move. */
async function drive(table) {
  if (table.driving) return;
  table.driving = true;
  while (table.listeners.size > 0 && !resultOf(table)) {
    const { version } = table;
    const { side } = table.shown.now;
    const { engine, ms } = table.seats[side];
    if (!engine) break;
    const mind = (table.minds[side] ??= new Mind());
    const moves = table.line.map(({ move }) => move);
    let last = 0;
    try {
      const { best, report } = await mind.think({ game: table.game, board: table.board, moves, engine, ms }, ({ report }) => {
        if (version !== table.version || performance.now() - last < PACE) return;
        last = performance.now();
        tell(table, "thinking", { side, report });
      });
      if (version !== table.version || table.listeners.size === 0) continue;
      await set(table, [...table.line, { move: best.move, ms: spent(table), report }], null);
    } catch {
      // Its workers were lost, or the game has changed: it thinks again.
      if (version === table.version) await pause(AGAIN);
    }
  }
  table.driving = false;
  if (table.listeners.size > 0) return;
  for (const mind of Object.values(table.minds)) mind.end();
  table.minds = {};
}

/** The events of a game; returns what closes them. */
export function watch(id, handlers) {
  let closed = false;
  let table = null;
  find(id).then(
    (found) => {
      if (closed) return;
      table = found;
      // The time in between counts for neither side.
      if (!table.listeners.size && !resultOf(table)) table.running = performance.now();
      table.listeners.add(handlers);
      const { from, ...rest } = changeOf(table, 0);
      watchFlag(table);
      handlers.game?.(structuredClone({ id, game: table.game, source: "board", title: "", start: table.shown.start, ...rest }));
      drive(table);
    },
    (error) => closed || handlers.failed?.(error),
  );
  return () => {
    closed = true;
    table?.listeners.delete(handlers);
    if (table && !table.listeners.size) halt(table);
  };
}

/** The events of the list of games. */
export function watchAll({ lobby: hear }) {
  if (!hear) return () => {};
  lobby.add(hear);
  queueMicrotask(() => lobby.has(hear) && hear({ games: listedGames(), standings: false }));
  return () => lobby.delete(hear);
}

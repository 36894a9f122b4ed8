// In the place of a server: answers the page's requests (tools/board/src/interface.md) in the
// visitor's browser. The page's api.js and streams.js ask here where the page's file names this.

import { define, Desk, refusal } from "./desk.js";
import * as games from "./games.js";
import * as searches from "./searches.js";

/** The folder of the site, without the slash at its end. */
const SITE = new URL("..", import.meta.url).pathname.slice(0, -1);

/** Whether this is a board in another page: then the board is all there is. */
const EMBEDDED = new URLSearchParams(location.search).has("embed");
document.documentElement.classList.toggle("embedded", EMBEDDED);

let rules = null;

/** What the rules answer; a lost worker is replaced once. */
async function ask(path, body = {}) {
  if (!rules || rules.lost) rules = new Desk();
  try {
    return await rules.request(path, body);
  } catch (error) {
    if (!rules.lost) throw error;
    rules = new Desk();
    return rules.request(path, body);
  }
}

games.connect(ask);

/** From the first visit on the files are kept; the weights of the other games once all is quiet. */
async function keepFiles() {
  const keeper = navigator.serviceWorker;
  await keeper?.register(`${SITE}/offline.js`);
  if (!keeper.controller) await new Promise((resolve) => keeper.addEventListener("controllerchange", resolve, { once: true }));
  setTimeout(() => keeper.controller?.postMessage("rest"), 5000);
}

// Where the browser refuses, the page works as long as there is a network.
keepFiles().catch(() => {});

async function analyse(wish) {
  const { game, board, moves } = wish;
  const { result } = await ask("/api/positions", { game, board, moves });
  if (result) throw refusal(`the game is over: ${result.text}`, 409);
  return searches.analyse(wish);
}

async function variants(body) {
  const answer = await ask("/api/variants", body);
  if (answer.game) define(answer.game.id, body.text, body.name);
  return answer;
}

async function answerTo(path, body, isPost) {
  const [, , kind, id, action] = path.split("/");
  if (kind === "games" && isPost) return id ? games.act(id, action, body) : games.create(body);
  if (kind === "games" && action === "record") return games.record(id, body);
  if (kind === "analyses") return action === "stop" ? searches.stop(id) : analyse(body);
  if (kind === "reviews") return action === "stop" ? searches.stop(id) : searches.review(body);
  if (kind === "variants") return variants(body);
  const answer = await ask(path, body);
  return path === "/api/rules" ? { ...answer, cores: navigator.hardwareConcurrency ?? 1, token: null, reachable: null, elsewhere: null } : answer;
}

/** As `fetch` of an address of the server. */
export async function request(url, { method = "GET", body } = {}) {
  const { pathname, searchParams } = new URL(url, location.origin);
  if (pathname.startsWith("/page/")) return fetch(SITE + pathname);
  try {
    const wish = body ? JSON.parse(body) : Object.fromEntries(searchParams);
    const answer = await answerTo(decodeURIComponent(pathname), wish, method === "POST");
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer));
  } catch (error) {
    return new Response(JSON.stringify({ error: error.message }), { status: error.status ?? 503 });
  }
}

/** As an event stream of the server; returns what closes it. */
export function events(url, handlers) {
  const [, , kind, id] = url.split("/").map(decodeURIComponent);
  if (kind === "lobby") return games.watchAll(handlers);
  if (kind === "games") return games.watch(id, handlers);
  if (kind === "analyses" || kind === "reviews") return searches.listen(id, handlers);
  queueMicrotask(() => handlers.failed?.(refusal("this server has no tournament", 404)));
  return () => {};
}

/** The address of a path of the page: any server of files has the one file alone. */
export function address(path) {
  const [where, query = ""] = path.split("?");
  const rest = [where === "/" ? "" : `at=${where}`, query, EMBEDDED && "embed"].filter(Boolean).join("&");
  return `${SITE}/${rest && `?${rest}`}`;
}

/** The path and the query of such an address. A board in another page names its game alone. */
export function route({ search }) {
  const query = new URLSearchParams(search);
  const path = query.get("at") ?? (query.has("embed") ? "/analyse" : "/");
  query.delete("at");
  return { path, query };
}

// Talking to the server: requests whose errors carry its message, and the seats that this browser
// holds. On a page of files alone the engine in this browser answers (tools/web/site/answers.js);
// this is the one place that knows.

import { t } from "./language.js";
import { keep, recall } from "./memory.js";
import { learn } from "./variants.js";

/** The path below which a proxy shows the page: empty, or "/alesia". */
const BASE = document.documentElement.dataset.base ?? "";

/** What answers in the place of a server; null where there is one. */
export const local = await (document.documentElement.dataset.answers ? import(document.documentElement.dataset.answers) : null);

/** An address of the server as a browser must ask for it. */
export const outer = (path) => (local ? local.address(path) : BASE + path);

/** The path and the query of an address, without the part that is the proxy's. */
export function inner(url) {
  if (local) return local.route(url);
  const { pathname, search } = url;
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) || "/" : pathname;
  return { path, query: new URLSearchParams(search) };
}

/** What the server answers, read by `read`; its errors are sentences for people. */
async function request(url, options, read) {
  let answer;
  let content;
  try {
    answer = await (local ? local.request(url, options) : fetch(outer(url), options));
    content = await (answer.ok ? read(answer) : answer.text());
  } catch {
    throw new Error(t("server.silent"));
  }
  if (answer.ok) return content;
  const error = new Error(parsed(content)?.error ?? t("server.answered", { url, status: answer.status }));
  error.status = answer.status;
  throw error;
}

/** What a text of JSON says; null if it is none. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function json(url, options) {
  const text = await request(url, options, (answer) => answer.text());
  const body = parsed(text);
  if (body === null) throw new Error(t("server.noJson", { url, found: text.slice(0, 40) || t("nothing") }));
  return body;
}

export const get = (url) => json(url);

/** A file of the server. */
export const getFile = (url) => request(url, {}, (answer) => answer.blob());

/** A file that the server makes of something. */
export const postForFile = (url, body) => request(url, posted(body), (answer) => answer.blob());

const posted = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** With `keepalive: true` the request is also sent while the page is left. */
export function post(url, body = {}, options = {}) {
  return json(url, { ...options, ...posted(body) });
}

/**
 * Asks until there is an answer. A failure is reported to `fail(error)`, and asked again after a
 * while, as long as `wanted()`; a refusal is thrown.
 */
export async function insist(ask, fail, wanted = () => true) {
  for (let pause = 1000; wanted(); pause = Math.min(2 * pause, 10_000)) {
    try {
      return await ask();
    } catch (error) {
      if (error.status < 500 && error.status !== 429) throw error;
      if (wanted()) fail(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return null;
}

/** Whether the browser sees the page under an address that leads to its own machine alone. */
const isLocal = () => /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/**
 * An address of this page for other people, with its token if there is one: {link, local}. `local` is
 * true where it leads nowhere from another machine.
 */
export function invitation(path, { token, reachable }) {
  const origin = isLocal() && reachable ? reachable : location.origin;
  return { link: addressFor(path, token, origin), local: isLocal() && !reachable };
}

/** An address of this page, with its token if there is one. */
export function addressFor(path, token, origin = location.origin) {
  const url = new URL(outer(path), origin);
  if (token) url.searchParams.set("token", token);
  return url.href;
}

/** The Rules of a game, also of a size or a variant that is not in the list. */
export async function rulesOf(rules, id) {
  const listed = [...rules.games, ...rules.variants].find((game) => game.id === id);
  return listed ?? learn(await get(`/api/rules/${encodeURIComponent(id)}`));
}

/** The tokens that this browser holds in a game: {white?, black?}. */
export const seats = (id) => recall(`alesia:${id}`);

/** Adds tokens to those that this browser holds in a game. */
export function keepSeats(id, tokens) {
  keep(`alesia:${id}`, { ...seats(id), ...tokens });
}

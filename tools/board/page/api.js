// Talking to the server: requests whose errors carry its message, and the seats that this browser holds.

import { t } from "./language.js";
import { keep, recall } from "./memory.js";

async function request(url, options) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Error(t("server.silent"));
  }
  const text = await answer.text();
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the message below quotes the text.
  }
  if (!answer.ok) {
    const error = new Error(body?.error ?? t("server.answered", { url, status: answer.status }));
    error.status = answer.status;
    throw error;
  }
  if (body === null) throw new Error(t("server.noJson", { url, found: text.slice(0, 40) || t("nothing") }));
  return body;
}

export const get = (url) => request(url);

export function post(url, body = {}) {
  return request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** An address of this page for other people, with its token if there is one. */
export function addressFor(path, token) {
  const url = new URL(path, location.origin);
  if (token) url.searchParams.set("token", token);
  return url.href;
}

/** The Rules of a game, also of a size that is not in the list. */
export async function rulesOf(rules, id) {
  return rules.games.find((game) => game.id === id) ?? get(`/api/rules/${encodeURIComponent(id)}`);
}

/** The tokens that this browser holds in a game: {white?, black?}. */
export const seats = (id) => recall(`alesia:${id}`);

/** Adds tokens to those that this browser holds in a game. */
export function keepSeats(id, tokens) {
  keep(`alesia:${id}`, { ...seats(id), ...tokens });
}

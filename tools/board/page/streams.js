// Event streams that reconnect automatically, and that leave room for other tabs.
//
// A browser has six connections to a server for all its tabs together, and each stream uses one:
// with six streams no move could be sent. So the tabs share the number of their streams, and only
// the last used ones listen. The others pause, and listen again as soon as they are used, as the
// first event of a stream has the complete state. A hidden tab pauses before a visible one, but
// only if necessary: its display and its searches continue.

import { local, outer } from "./api.js";
import { t } from "./language.js";

/** Max streams of this tab and of those used after it; the other connections are for requests. */
const MOST = { visible: 4, hidden: 2 };
/** The events that show that this tab is in use; a pointer at rest comes over what moves below it. */
const USES = ["focus", "pageshow", "pointermove", "pointerdown", "keydown"];

const streams = new Set();
const lost = new Set();
const channel = new BroadcastChannel("alesia-streams");
const self = `${Date.now()} ${Math.random()}`;
/** How many streams each tab holds that was used after this one. */
const newer = new Map();
let asleep = false;

function showConnection() {
  const note = document.getElementById("connection");
  if (!note) return;
  note.hidden = lost.size === 0 && !asleep;
  note.textContent = t(asleep ? "connection.paused" : "connection.lost");
}

const hidden = () => document.visibilityState === "hidden";

/**
 * Reports to the others how many streams this tab wants. One that sleeps in sight counts as well: if it gave
 * up its place, all that were used before it would take that place at once.
 */
function tell() {
  channel.postMessage({ tab: self, count: asleep && hidden() ? 0 : streams.size });
}

/** Listens or sleeps, as the other tabs leave room; a hidden one does not wake before it is used. */
function settle(used = false) {
  const others = [...newer.values()].reduce((sum, count) => sum + count, 0);
  const crowded = streams.size > 0 && others + streams.size > MOST[document.visibilityState];
  if (crowded === asleep || (asleep && hidden() && !used)) return;
  asleep = crowded;
  for (const stream of streams) {
    if (asleep) stream.rest();
    else stream.open();
  }
  if (asleep && hidden()) tell();
  showConnection();
}

/** This tab is the last that was used. */
function use() {
  newer.clear();
  settle(true);
  tell();
}

channel.addEventListener("message", ({ data }) => {
  if (data.count) newer.set(data.tab, data.count);
  else newer.delete(data.tab);
  settle();
});
for (const name of USES) window.addEventListener(name, () => newer.size && use(), true);
document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? use() : settle()));
window.addEventListener("pagehide", () => channel.postMessage({ tab: self, count: 0 }));

/**
 * Listens to an event stream; `handlers` has a function of the data for each event by name, and may
 * have `failed(error)` for a stream that will never come (no such game). Returns what closes it.
 * The browser tries again after a lost connection; after a refusal we ask why and then try ourselves.
 */
export function events(url, handlers) {
  if (local) return local.events(url, handlers);
  let source = null;
  let closed = false;
  let timer = 0;
  let pause = 1000;

  const rest = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
    lost.delete(stream);
  };

  const close = () => {
    if (closed) return;
    closed = true;
    rest();
    streams.delete(stream);
    tell();
    settle();
    showConnection();
  };

  const again = async () => {
    const probe = new AbortController();
    try {
      const answer = await fetch(outer(url), { signal: probe.signal, headers: { accept: "text/event-stream" } });
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        const body = await answer.json().catch(() => ({}));
        if (closed) return;
        close();
        const error = new Error(body.error ?? t("server.answered", { url, status: answer.status }));
        error.status = answer.status;
        handlers.failed?.(error);
        return;
      }
    } catch {
      // Still no server: try again below.
    }
    probe.abort();
    if (!closed && !asleep) open();
  };

  const open = () => {
    rest();
    const opened = new EventSource(outer(url));
    source = opened;
    source.addEventListener("open", () => {
      pause = 1000;
      lost.delete(stream);
      showConnection();
    });
    source.addEventListener("error", () => {
      if (source !== opened) return;
      lost.add(stream);
      showConnection();
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(again, pause);
      pause = Math.min(pause * 2, 10000);
    });
    for (const [name, handler] of Object.entries(handlers)) {
      if (name === "failed") continue;
      source.addEventListener(name, (event) => source === opened && handler(JSON.parse(event.data)));
    }
  };

  const stream = { open, rest };
  streams.add(stream);
  if (!asleep) open();
  use();
  return close;
}

// Talking to the server: requests whose errors carry its message, event streams that come back by
// themselves, and the seats that this browser holds.

async function request(url, options) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const text = await answer.text();
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the message below says what came instead.
  }
  if (!answer.ok) {
    const error = new Error(body?.error ?? `${url}: the server answered ${answer.status}.`);
    error.status = answer.status;
    throw error;
  }
  if (body === null) throw new Error(`${url}: expected JSON, found ${text.slice(0, 40) || "nothing"}.`);
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

/** The Rules of a game, also of a size of Hadron that is not in the list. */
export async function rulesOf(rules, id) {
  return rules.games.find((game) => game.id === id) ?? get(`/api/rules/${encodeURIComponent(id)}`);
}

const lost = new Set();
function showConnection() {
  const note = document.getElementById("connection");
  if (note) note.hidden = lost.size === 0;
}

/**
 * Listens to an event stream; `handlers` has a function of the data for each event by name, and may
 * have `failed(error)` for a stream that will never come (no such game). Returns what closes it.
 * The browser tries again after a lost connection; after a refusal we ask why and then try ourselves.
 */
export function events(url, handlers) {
  const key = {};
  let source = null;
  let closed = false;
  let timer = 0;
  let pause = 1000;

  const close = () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
    lost.delete(key);
    showConnection();
  };

  const again = async () => {
    const probe = new AbortController();
    try {
      const answer = await fetch(url, { signal: probe.signal, headers: { accept: "text/event-stream" } });
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        const body = await answer.json().catch(() => ({}));
        if (closed) return;
        close();
        const error = new Error(body.error ?? `The server answered ${answer.status}.`);
        error.status = answer.status;
        handlers.failed?.(error);
        return;
      }
    } catch {
      // Still no server: try again below.
    }
    probe.abort();
    if (!closed) open();
  };

  const open = () => {
    source = new EventSource(url);
    source.addEventListener("open", () => {
      pause = 1000;
      lost.delete(key);
      showConnection();
    });
    source.addEventListener("error", () => {
      if (closed) return;
      lost.add(key);
      showConnection();
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(again, pause);
      pause = Math.min(pause * 2, 10000);
    });
    for (const [name, handler] of Object.entries(handlers)) {
      if (name === "failed") continue;
      source.addEventListener(name, (event) => closed || handler(JSON.parse(event.data)));
    }
  };

  open();
  return close;
}

/** The tokens that this browser holds in a game: {white?, black?}. */
export function seats(id) {
  try {
    return JSON.parse(localStorage.getItem(`alesia:${id}`)) ?? {};
  } catch {
    return {};
  }
}

/** Adds tokens to those that this browser holds in a game. */
export function keepSeats(id, tokens) {
  localStorage.setItem(`alesia:${id}`, JSON.stringify({ ...seats(id), ...tokens }));
}

// What the server itself says, to compare the page with.

async function answerOf(response) {
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${body.error}`);
  return body;
}

/** Milliseconds until a server that does not answer is given up. */
const PATIENCE = 60_000;

export async function post(address, path, body) {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) };
  return answerOf(await fetch(address + path, request));
}

/** The data of the first event of a stream. */
export async function firstEvent(address, path) {
  const stop = new AbortController();
  const response = await fetch(address + path, { signal: stop.signal });
  if (!response.ok) return answerOf(response);
  let text = "";
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const data = text.match(/^data: ?(.*)\n\r?\n/m);
      if (data) return JSON.parse(data[1]);
    }
  } finally {
    stop.abort();
  }
  throw new Error(`${path}: the stream ended without an event`);
}

/** A whole game, as the server has it now. */
export const gameOf = (address, id) => firstEvent(address, `/api/games/${id}/events`);

// The engine as a WebAssembly module: lines of JSON in and out (src/session.rs has the questions).

/**
 * Begins a session with a compiled module; `report` gets what is said meanwhile. `ask(question)`
 * returns an answer; after a fault it throws, and a new session is needed. `put(address, bytes)`
 * brings the weights of a game to their place, before the game is named.
 */
export async function begin(module, report = () => {}) {
  const { exports: calls } = await WebAssembly.instantiate(module, {
    env: {
      now_ms: () => performance.now(),
      report: (first, length) => report(JSON.parse(read(first, length))),
    },
  });
  const bytes = (first, length) => new Uint8Array(calls.memory.buffer, first, length);
  const read = (first, length) => new TextDecoder().decode(bytes(first, length));
  const put = (address, content) => bytes(address, content.length).set(content);
  return {
    put,
    ask(question) {
      const line = new TextEncoder().encode(JSON.stringify(question));
      put(calls.input(line.length), line);
      const length = calls.ask();
      return JSON.parse(read(calls.output(), length));
    },
  };
}

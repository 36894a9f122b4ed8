// Takes the weights out of the module, so that a visitor gets those of one game alone.
//
// The one idea: a network lies in the module's data exactly as in the game's file of weights. What
// is cut out is zero in a new memory, until engine.js writes the file to its place there.

/** Numbers of sections of a module: what only tools read, such as names; its data. */
const CUSTOM = 0;
const DATA = 11;

/** Reads and writes the numbers of the format (LEB128) and what they count. */
class Reader {
  constructor(bytes, at = 0) {
    Object.assign(this, { bytes, at });
  }
  number(signed = false) {
    let value = 0n;
    let shift = 0n;
    for (;;) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
      if (byte < 128) return Number(signed && byte & 64 ? value - (1n << shift) : value);
    }
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

function unsigned(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

/** An address as the module's own code writes it: `i32.const`, and the end. */
function constant(value) {
  const bytes = [];
  for (; value > 63; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [0x41, ...bytes, value, 0x0b];
}

/** The parts of the data: {address, bytes}, each put there when the module begins. */
function segmentsOf(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => {
    const kind = reader.number();
    const code = reader.take(1)[0];
    if (kind !== 0 || code !== 0x41) throw new Error(`data: found kind ${kind}, code ${code}, expected 0 and 65`);
    const address = reader.number(true);
    reader.take(1);
    return { address, bytes: reader.take(reader.number()) };
  });
}

/** The module without the weights `{game: bytes}`, and where each belongs: `{game: address}`. */
export function split(module, weights) {
  const parts = [module.subarray(0, 8)];
  const places = {};
  const reader = new Reader(module, 8);
  while (reader.at < module.length) {
    const [id] = reader.take(1);
    const section = reader.take(reader.number());
    if (id === CUSTOM) continue;
    const content = id === DATA ? without(segmentsOf(section), weights, places) : section;
    parts.push(Buffer.from([id, ...unsigned(content.length)]), content);
  }
  for (const game of Object.keys(weights)) {
    if (places[game] === undefined) throw new Error(`weights of ${game}: not found in the module`);
  }
  return { module: Buffer.concat(parts), places };
}

function without(segments, weights, places) {
  let left = segments;
  for (const [game, bytes] of Object.entries(weights)) {
    left = left.flatMap((segment) => {
      const at = Buffer.from(segment.bytes).indexOf(bytes);
      if (at < 0) return [segment];
      places[game] = segment.address + at;
      const end = at + bytes.length;
      return [
        { address: segment.address, bytes: segment.bytes.subarray(0, at) },
        { address: segment.address + end, bytes: segment.bytes.subarray(end) },
      ];
    });
  }
  const written = left.map(({ address, bytes }) =>
    Buffer.concat([Buffer.from([0, ...constant(address), ...unsigned(bytes.length)]), bytes]),
  );
  return Buffer.concat([Buffer.from(unsigned(left.length)), ...written]);
}

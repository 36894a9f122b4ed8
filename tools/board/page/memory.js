// What this browser remembers: choices, and the seats in games.
//
// A browser may refuse to store anything, or have no room left. Then it is remembered until the
// page is left or loaded again, and everything else works as usual.

const unstored = new Map();

/** The text that was kept under a key, or null. */
export function recallText(key) {
  if (unstored.has(key)) return unstored.get(key);
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text in place of the one before. */
export function keepText(key, text) {
  try {
    localStorage.setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
}

/** The object that was kept under a key, or an empty one. */
export function recall(key) {
  try {
    return Object(JSON.parse(recallText(key)));
  } catch {
    // Not from this page.
    return {};
  }
}

/** Keeps an object in place of the one before. */
export const keep = (key, value) => keepText(key, JSON.stringify(value));

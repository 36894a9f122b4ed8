// The language of the page: Italian or English, by the browser's languages or by choice.
//
//   t("status.toMove", { side: "White" })   the text of a key; its plural form by the value `n`
//   fromServer("this seat is already taken") a sentence of the server in this language
//   playerName("Random moves")              an engine's name in this language
//
// Each language is one file, `en.js` and `it.js`, with the same keys. The server speaks English, as
// other programs read it too; the Italian file has its sentences as `phrases`, `{}` being what
// varies, and of these the names of engines as `names`.

import { keepText, recallText } from "./memory.js";
import * as en from "./en.js";
import * as it from "./it.js";

const DICTIONARIES = { en, it };
const KEY = "alesia-language";

/** The languages by their own names. */
export const LANGUAGES = { en: "English", it: "Italiano" };

function preferred() {
  const chosen = recallText(KEY);
  if (chosen in DICTIONARIES) return chosen;
  const known = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return known.find((tag) => tag in DICTIONARIES) ?? "en";
}

let current = preferred();
document.documentElement.lang = current;

export const language = () => current;

/** Chooses a language, which is remembered; what is on the page must be made anew. */
export function setLanguage(next) {
  current = next;
  document.documentElement.lang = next;
  keepText(KEY, next);
}

/** The text of a key; a value `n` chooses between the forms of the plural. */
export function t(key, values = {}) {
  const entry = DICTIONARIES[current].texts[key];
  if (entry === undefined) throw new Error(`no text for ${key}`);
  const text = typeof entry === "string" ? entry : entry[new Intl.PluralRules(current).select(values.n)] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A number with this number of decimals, as the language writes it. */
export const decimal = (number, digits = 0) =>
  new Intl.NumberFormat(current, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }).format(number);

/** A number as short as it is: "0.3", "10". */
export const plain = (number) => new Intl.NumberFormat(current, { useGrouping: false }).format(number);

/** The phrases of a language as patterns, once each. */
const patterns = new Map();

function patternsOf(phrases) {
  if (!patterns.has(phrases)) {
    const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const pattern = (phrase) => new RegExp(`^${phrase.split("{}").map(escaped).join("(.+?)")}$`, "s");
    const literal = ([phrase]) => phrase.replaceAll("{}", "").length;
    const varying = Object.entries(phrases).filter(([phrase]) => phrase.includes("{}"));
    // The more of a phrase is fixed, the less else it can be.
    const sorted = varying.sort((one, other) => literal(other) - literal(one));
    patterns.set(phrases, sorted.map(([phrase, text]) => [pattern(phrase), text]));
  }
  return patterns.get(phrases);
}

/** A sentence of the server, and the parts that vary in it, in this language; unchanged if it is not known. */
export const fromServer = (text) => translated(text, DICTIONARIES[current].phrases);

/** The name of an engine as the server gives it, in this language; the name of a person as it is. */
export const playerName = (name) => translated(name, DICTIONARIES[current].names);

function translated(text, phrases) {
  if (!phrases || !text) return text;
  if (Object.hasOwn(phrases, text)) return phrases[text];
  for (const [pattern, translation] of patternsOf(phrases)) {
    const found = text.match(pattern);
    if (!found) continue;
    let next = 1;
    return translation.replace(/\{(\d?)\}/g, (_, number) => translated(found[number || next++], phrases));
  }
  return text;
}

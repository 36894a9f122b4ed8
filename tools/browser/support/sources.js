// What stands in the sources of page and server, for the tests of its words.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = `${ROOT}tools/board/page/`;

/** The dictionaries, as the page imports them. */
export async function dictionaries() {
  return { en: await pageScript("en.js"), it: await pageScript("it.js") };
}

/** A script of the page that imports nothing, as the page imports it. */
export const pageScript = (name) => import(`data:text/javascript,${encodeURIComponent(readFileSync(PAGE + name, "utf8"))}`);

/** The page's scripts but the dictionaries: [{name, text}…]. */
export function scripts() {
  const names = readdirSync(PAGE).filter((name) => name.endsWith(".js") && !["en.js", "it.js"].includes(name));
  return names.map((name) => ({ name, text: readFileSync(PAGE + name, "utf8") }));
}

export const pageFile = (name) => readFileSync(PAGE + name, "utf8");

/** The string literals of a script, with what stands before each on its line; `${…}` is cut out. */
export function literals(script) {
  const found = [];
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
  for (const match of script.matchAll(token)) {
    const text = match[1] ?? match[2];
    if (text === undefined) continue;
    const before = script.slice(script.lastIndexOf("\n", match.index) + 1, match.index);
    // A nested template is read as the text between; its inner literals stand in the same line.
    found.push({ text: text.replace(/\$\{[^}]*\}/g, " "), before });
  }
  return found;
}

/** Sentences of the server that a person may see: refusals, and reasons of an end. What varies is `{}`. */
export function serverSentences() {
  const files = (folder) =>
    readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? files(`${folder}/${entry.name}`) : /\.(rs|js)$/.test(entry.name) ? [`${folder}/${entry.name}`] : [],
    );
  const code = (file) => readFileSync(ROOT + file, "utf8").split("#[cfg(test)]")[0];
  const text = '"((?:[^"\\\\]|\\\\[\\s\\S])*)"';
  const all = (folder, before) => {
    const pattern = new RegExp(`${before}\\s*${text}`, "g");
    return files(folder).flatMap((file) => [...code(file).matchAll(pattern)].map((match) => match[1]));
  };
  const found = [
    ...all("tools/board/src", "Failure::[a-z]+\\(\\s*(?:format!\\()?"),
    ...all("tools/board/src", "break_off\\((?:[^\"()]*, )?"),
    ...all("src", "Rule::new\\(&"),
    ...all("tools/answers/src", "pub const NO_GUIDE: &str ="),
    ...all("tools/web/site", "(?:refusal|stale)\\("),
  ];
  return found.map((sentence) => sentence.replace(/\\\n\s*/g, "").replace(/\{[^}]*\}/g, "{}"));
}

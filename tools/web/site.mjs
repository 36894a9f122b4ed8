// Writes the page as files alone, with the engine in the visitor's browser: any web server shows
// them, and no request leaves the folder.
//
//   cargo build --release -p alesia-web --target wasm32-unknown-unknown
//   node tools/web/site.mjs DIR [MODULE.wasm]

import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { writeEngine } from "./build.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = here("../board/page");

/** The page's file, which has all views: its addresses begin where it lies. */
function index() {
  const page = readFileSync(`${PAGE}/index.html`, "utf8");
  const links = page.replaceAll(/="\/([a-z]*)(\?[^"]*)?"/g, (_, view, query = "") => (view ? `="./?at=/${view}"` : `="./${query}"`));
  return links.replaceAll('="/page/', '="page/').replace("<html ", '<html data-answers="../engine/answers.js" ');
}

/** All files below a folder, by their paths in it. */
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(folder.length + 1))
    .sort();

const [folder, built] = process.argv.slice(2);
if (!folder) throw new Error("found no folder, expected: node tools/web/site.mjs DIR [MODULE.wasm]");
mkdirSync(folder, { recursive: true });
cpSync(PAGE, `${folder}/page`, { recursive: true });
writeEngine(`${folder}/engine`, built);
for (const name of readdirSync(here("site"))) copyFileSync(here(`site/${name}`), `${folder}/engine/${name}`);
writeFileSync(`${folder}/index.html`, index());

// The service worker knows all files by name, and is another one as soon as one of them is.
const names = filesOf(folder).filter((name) => name !== "offline.js" && name !== "page/index.html" && name !== "page/closed.html");
const version = createHash("sha256");
for (const name of names) version.update(name).update(readFileSync(`${folder}/${name}`));
const list = `const VERSION = "${version.digest("hex").slice(0, 16)}";\nconst FILES = ${JSON.stringify(names)};\n`;
writeFileSync(`${folder}/offline.js`, list + readFileSync(here("offline.js"), "utf8"));

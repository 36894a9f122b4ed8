// Makes a book of all documents: pages with a side bar and a search, which need no server.
//
//   cd tools/documents && npm ci && npm run book      # target/documents/book/index.html

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";

import { boards, style } from "./boards.js";
import { ROOT, escaped, read, renderer } from "./sources.js";

const OUT = new URL("target/documents/book/", ROOT);

/** The order of the pages: a part and how their paths begin. A page is in the first that fits. */
const PARTS = [
  ["", ["README.md"]],
  ["Play", ["docs/match-day", "docs/build", "docs/board", "docs/heuristic"]],
  ["The games", ["docs/games/README", "docs/games/"]],
  ["Measure", ["docs/lab.md", "docs/lab/", "docs/results", "benches/results/", "docs/openbench"]],
  ["Look up", ["docs/cli", "docs/options", "docs/parameters", "docs/ugi", "docs/python"]],
  ["How it works", ["docs/search", "docs/architecture", "docs/add-a-game", "docs/course/", "docs/security", "docs/testing"]],
  ["The project", [""]],
];

/** Games by the names of their pages. */
const GAMES = { "murus-gallicus": "murus", hadron: "hadron", "lines-of-action": "loa", "voidrider-chess": "voidrider" };

/** All documents, an Italian page after its English one. */
const files = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" }).trimEnd().split("\n");
files.sort((a, b) => (a.replace(".it.md", ".md~") < b.replace(".it.md", ".md~") ? -1 : 1));
const htmlOf = (file) => file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");

/** The parts with their pages, each once. */
function parts() {
  const left = new Set(files);
  return PARTS.map(([title, beginnings]) => {
    const found = beginnings.flatMap((beginning) => files.filter((file) => file.startsWith(beginning) && left.delete(file)));
    return { title, pages: found.map(page) };
  });
}

function copy(file) {
  const aim = new URL(file, OUT);
  mkdirSync(dirname(fileURLToPath(aim)), { recursive: true });
  cpSync(new URL(file, ROOT), aim);
}

/** Where a link of a document leads in the book; null where the book has nothing of it, as of sources. */
function target(href, file) {
  if (/^(https?:|#)/.test(href)) return href;
  const [path, fragment] = href.split("#");
  const aim = posix.join(posix.dirname(file), path);
  if (files.includes(aim)) return `${posix.relative(posix.dirname(file), htmlOf(aim))}${fragment ? `#${fragment}` : ""}`;
  if (!/\.(csv|txt|svg|png)$/.test(aim)) return null;
  if (!existsSync(new URL(aim, ROOT))) throw new Error(`${file}: ${href}: no such file`);
  copy(aim);
  return path;
}

/** A document as a page: its title, its text, and its sections for the search. */
function page(file) {
  const game = GAMES[posix.basename(file).split(".")[0]];
  const marked = new Marked({
    renderer: {
      ...renderer((href) => target(href, file)),
      image: ({ href, text }) => `<img src="${target(href, file)}" alt="${escaped(text)}">`,
      code({ text, lang }) {
        return lang?.startsWith("board") && game ? boards(text, game) : `<pre><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(read(file));
  const words = (text) => text.replace(/<svg.*?<\/svg>|<[^>]*>/gs, " ").replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();
  const sections = html.split(/(?=<h[1-3] )/).filter((part) => part.startsWith("<h")).map((part) => {
    const [, id, heading, rest] = part.match(/^<h\d id="([^"]*)">(.*?)<\/h\d>(.*)$/s);
    return { id, heading: words(heading), text: words(rest) };
  });
  if (!sections.length) throw new Error(`${file}: expected a heading`);
  const own = sections[0].heading;
  return { file, html, sections, title: file.endsWith(".it.md") ? `${own} (italiano)` : own };
}

/** The whole file of a page, with the side bar of all. */
function whole(book, { file, html, title }) {
  const root = posix.relative(posix.dirname(file), ".") || ".";
  const to = (other) => `${root}/${htmlOf(other.file)}`;
  const item = (other) => `<li><a href="${to(other)}"${other.file === file ? ' aria-current="page"' : ""}>${escaped(other.title)}</a></li>`;
  const bar = book.map((part) => `<h2>${part.title}</h2><ul>${part.pages.map(item).join("")}</ul>`).join("");
  const language = file.endsWith(".it.md") ? "it" : "en";
  return `<!doctype html>
<html lang="${language}" data-root="${root}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><link rel="stylesheet" href="${root}/book.css">
<nav lang="en"><input type="search" placeholder="Search" aria-label="Search"><ol id="found"></ol><div id="pages">${bar}</div></nav>
<main>${html}</main>
<script src="${root}/index.js"></script><script src="${root}/search.js"></script></html>
`;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const book = parts();
const pages = book.flatMap((part) => part.pages);
for (const one of pages) {
  const aim = new URL(htmlOf(one.file), OUT);
  mkdirSync(dirname(fileURLToPath(aim)), { recursive: true });
  writeFileSync(aim, whole(book, one));
}
const index = pages.flatMap(({ file, title, sections }) =>
  sections.map(({ id, heading, text }) => [`${htmlOf(file)}#${id}`, title, heading, text]));
writeFileSync(new URL("index.js", OUT), `const SECTIONS = ${JSON.stringify(index)};\n`);
writeFileSync(new URL("book.css", OUT), `${style()}\n${read("tools/documents/book/book.css")}`);
cpSync(new URL("tools/documents/book/search.js", ROOT), new URL("search.js", OUT));
console.log(fileURLToPath(new URL("index.html", OUT)));

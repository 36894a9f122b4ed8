// Prints the hand-ins of the courses, docs/course/report.md and relazione.it.md, as PDF:
//
//   cd tools/documents && npm ci && npm run hand-ins      # target/documents/*.pdf
//
// The figures are those of docs/experiments.csv as it is now. CHROMIUM=PROGRAM names another
// browser than Debian's chromium-headless-shell.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";

import { ROOT, read, renderer } from "./sources.js";
import { withFigures } from "./figures.js";

const OUT = new URL("target/documents/", ROOT);
const BROWSER = process.env.CHROMIUM ?? "chromium-headless-shell";
const HAND_INS = [
  { name: "report", file: "docs/course/report.md", language: "en", caption: "Above the gains of kept changes, added up; below the points against alpha-beta." },
  { name: "relazione", file: "docs/course/relazione.it.md", language: "it", caption: "Sopra i guadagni dei cambiamenti tenuti, sommati; sotto i punti contro alfa-beta." },
];

const STYLE = `
  @page { size: A4; margin: 22mm 20mm; @bottom-center { content: counter(page); font: 9pt sans-serif; } }
  body { font: 10.5pt/1.4 serif; hyphens: auto; text-align: justify; }
  h1 { font-size: 20pt; text-align: left; line-height: 1.15; }
  h2 { font-size: 13pt; margin: 1.4em 0 0.4em; break-after: avoid; }
  code { font-size: 9pt; }
  pre { border-left: 2pt solid #999; padding-left: 8pt; white-space: pre-wrap; text-align: left; break-inside: avoid; }
  pre code { font-size: 7pt; }
  table { border-collapse: collapse; margin: 0.8em 0; break-inside: avoid; text-align: left; }
  th, td { border-bottom: 0.5pt solid #888; padding: 2pt 8pt 2pt 0; }
  figure { margin: 1em 0; break-inside: avoid; } figure svg { width: 100%; height: auto; } figcaption { font-size: 9pt; }
  a { color: inherit; text-decoration: none; }
`;

// On paper a link to another document leads nowhere: its words stay.
const marked = new Marked({ renderer: renderer((href) => (/^(https?:|#)/.test(href) ? href : null)) });

function page({ file, language, caption }) {
  // The list of sources that the hand-in refers to stands in the page on the search.
  const sources = read("docs/search.md").split("## Sources\n")[1];
  const body = marked.parse(`${withFigures(read(file), file, read)}\n${sources}`);
  const figure = `</table><figure>${read("docs/strength.svg")}<figcaption>${caption}</figcaption></figure>`;
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Alesia</title><style>${STYLE}</style>${body.replace("</table>", () => figure)}`;
}

mkdirSync(OUT, { recursive: true });
for (const handIn of HAND_INS) {
  const [html, pdf] = ["html", "pdf"].map((end) => new URL(`${handIn.name}.${end}`, OUT));
  writeFileSync(html, page(handIn));
  const options = ["--headless", "--no-sandbox", "--no-pdf-header-footer", `--print-to-pdf=${fileURLToPath(pdf)}`];
  try {
    execFileSync(BROWSER, [...options, html.href], { stdio: "ignore" });
  } finally {
    rmSync(html);
  }
  console.log(fileURLToPath(pdf));
}

// The boards of the rules as pictures: drawn by the page's own diagrams, without a browser.
//
// The one idea: the page's drawing asks a document for few things, so a small one does.

import { readFileSync } from "node:fs";

import { ROOT, escaped } from "./sources.js";

/** An element that can be filled and written as text. */
class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], classList: { add: (name) => this.addTo("class", ` ${name}`) } });
    this.style = { setProperty: (name, value) => this.addTo("style", `${name}: ${value};`) };
  }
  addTo(name, text) {
    this.attributes[name] = (this.attributes[name] ?? "") + text;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  append(...children) {
    this.children.push(...children);
  }
  toString() {
    const attributes = Object.entries(this.attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
    const children = this.children.map((child) => (child instanceof Element ? `${child}` : escaped(String(child))));
    return `<${this.tag}${attributes.join("")}>${children.join("")}</${this.tag}>`;
  }
}

// What the page's modules ask for when they are loaded.
globalThis.document = { createElementNS: (_, tag) => new Element(tag), documentElement: {} };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { drawDiagram } = await import(new URL("tools/board/page/diagram.js", ROOT));

/** The diagrams of a block, from left to right, each with its caption. */
function diagrams(block) {
  const lines = block.trimEnd().split("\n");
  const edge = lines.at(-1);
  // Names of columns have one blank between them, boards more.
  const starts = [...edge.matchAll(/(?<= {2}|^)\S/g)].map((match) => match.index - 2);
  const parts = (line) => starts.map((start, k) => line.slice(start, starts[k + 1]).trim());
  const isRow = (line) => /^\S( \S)+$/.test(parts(line)[0]);
  const captions = isRow(lines[0]) ? starts.map(() => "") : parts(lines.shift());
  return captions.map((caption, k) => ({ caption, text: lines.map((line) => parts(line)[k]).join("\n") }));
}

/** A block of boards of a game as pictures. */
export function boards(block, game) {
  const figures = diagrams(block).map(({ caption, text }) => {
    let picture;
    const pre = { textContent: text, before: (board) => (picture = board), classList: { add() {} }, removeAttribute() {} };
    drawDiagram(pre, game, game !== "voidrider");
    return `<figure><figcaption>${escaped(caption)}</figcaption>${picture}</figure>`;
  });
  return `<div class="guide-diagrams">${figures.join("")}</div>\n`;
}

/** The rules of the page's style sheets that such pictures need, with the colours of its light set. */
export function style() {
  const sheet = (name) => readFileSync(new URL(`tools/board/page/${name}.css`, ROOT), "utf8").replace(/\/\*.*?\*\//gs, "");
  const colours = sheet("style").match(/:root \{[^}]*\}/)[0];
  const rules = ["board", "views", "style"].flatMap((name) => sheet(name).match(/^[^\s@{}][^{}]*\{[^{}]*\}/gm));
  const isNeeded = (rule) => /^(\.coordinate|\.ground|\.tile|\.piece|\.mini|\.murus|\.voidrider \.ground|\.guide-(board|mark|diagrams))/.test(rule);
  return [colours, ...rules.filter(isNeeded)].join("\n");
}

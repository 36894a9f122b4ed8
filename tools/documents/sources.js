// What both commands know of the repository, and how its Markdown becomes HTML.

import { readFileSync } from "node:fs";

export const ROOT = new URL("../../", import.meta.url);

// A fault is one line.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});

/** The text of a file of the repository. */
export const read = (file) => readFileSync(new URL(file, ROOT), "utf8");

export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The anchor that GitHub gives to a heading. */
export const anchor = (heading) =>
  heading.replace(/<[^>]*>|&\w+;/g, "").toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");

/** What marked is given: headings have anchors, links lead where `target(href)` says, or nowhere. */
export const renderer = (target) => ({
  heading({ tokens, depth }) {
    const text = this.parser.parseInline(tokens);
    return `<h${depth} id="${anchor(text)}">${text}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    const aim = target(href);
    return aim === null ? text : `<a href="${aim}">${text}</a>`;
  },
});

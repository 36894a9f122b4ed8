// A text in which a person defines chess variants: with line numbers, checked by the server while
// it is written. What is wrong is said below, and its line is marked in the text.
//
//   createDefinition({onChecked, fail}) → { element, text(), check(), insist() }
//
// `onChecked(variants)` gets the variants of a text that is right, and [] of one that is not.

import { post } from "./api.js";
import { fromServer, t } from "./language.js";
import { keepText, recallText } from "./memory.js";
import { html } from "./svg.js";

const KEY = "alesia-definition";
/** How long nothing is written before it is checked. */
const PAUSE = 350;

/** Whether a text is a definition: it begins with the head of a section, which unlike a tag of PGN has no quotes. */
export function isDefinition(text) {
  const lines = text.replace(/^\ufeff/, "").split("\n").map((line) => line.trim());
  const first = lines.find((line) => line && !/^[#;]/.test(line)) ?? "";
  return /^\[[^\]"]+\]$/.test(first);
}

/** What is wrong with a definition, without its line. */
export const problemText = ({ key, found, expected }) =>
  t("definition.problem", { key: fromServer(key), found: fromServer(found), expected: fromServer(expected) });

export function createDefinition({ onChecked, fail }) {
  const mark = html("div", { class: "definition-mark", hidden: true });
  const numbers = html("div", { class: "definition-numbers" });
  const back = html("div", { class: "definition-back", "aria-hidden": "true" }, mark, numbers);
  const problem = html("p", { class: "definition-problem", id: "definition-problem", role: "status" });
  const area = html("textarea", {
    name: "definition",
    id: "definition",
    rows: 12,
    wrap: "off",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: t("definition.example"),
    "aria-label": t("definition.label"),
    "aria-describedby": "definition-problem",
  });
  area.value = recallText(KEY) ?? "";
  const element = html(
    "div",
    { class: "definition" },
    html("p", { class: "quiet-text" }, t("definition.note")),
    html("div", { class: "definition-box" }, back, area),
    problem,
  );

  let timer = 0;
  let asked = 0;
  let wrongLine = null;

  /** Numbers and mark follow the text when it is scrolled. */
  function follow() {
    back.style.setProperty("--scrolled", `${-area.scrollTop}px`);
  }

  function number() {
    const count = area.value.split("\n").length;
    if (numbers.childElementCount === count) return;
    numbers.replaceChildren(...Array.from({ length: count }, (_, i) => html("span", {}, String(i + 1))));
  }

  /** Puts the cursor on a line, and the line into view. */
  function goTo(line) {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    const height = area.scrollHeight / Math.max(lines.length, area.rows);
    area.scrollTop = Math.max(0, (line - 4) * height);
    follow();
  }

  function showProblem({ line, ...wrong }) {
    const place = html("button", { type: "button", class: "quiet", "data-line": line, onclick: () => goTo(line) }, t("definition.line", { line }));
    problem.replaceChildren(place, " ", problemText(wrong));
    mark.style.setProperty("--line-number", line - 1);
    for (const [i, one] of [...numbers.children].entries()) one.classList.toggle("wrong", i === line - 1);
  }

  function show(wrong, said) {
    mark.hidden = !wrong;
    wrongLine = wrong?.line ?? null;
    area.setAttribute("aria-invalid", Boolean(wrong));
    problem.classList.toggle("wrong", Boolean(wrong));
    if (wrong) showProblem(wrong);
    else {
      problem.textContent = said;
      for (const one of numbers.children) one.classList.remove("wrong");
    }
  }

  /** Asks the server; resolves with the variants, and null where another text was checked meanwhile. */
  async function check() {
    clearTimeout(timer);
    const turn = ++asked;
    const text = area.value;
    keepText(KEY, text);
    number();
    if (!text.trim()) {
      show(null, "");
      onChecked([]);
      return [];
    }
    try {
      const answer = await post("/api/variants", { text });
      if (turn !== asked) return null;
      const variants = answer.variants ?? [];
      show(answer.problem ?? null, t("definition.right", { n: variants.length }));
      onChecked(variants);
      return variants;
    } catch (error) {
      if (turn === asked) fail(error);
      return [];
    }
  }

  area.addEventListener("scroll", follow);
  area.addEventListener("input", () => {
    number();
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  number();

  /** A person wants to play what is no definition yet: leads them to what is wrong. */
  function insist() {
    if (!area.value.trim()) show(null, t("definition.none"));
    if (wrongLine) goTo(wrongLine);
    else area.focus();
  }

  return { element, text: () => area.value, check, insist };
}

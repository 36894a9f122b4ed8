// The search of the book: sections of SECTIONS (index.js) that have all words, headings first.

const MOST = 30;
const field = document.querySelector("[type=search]");
const found = document.querySelector("#found");
const pages = document.querySelector("#pages");
const root = document.documentElement.dataset.root;

/** How well a section fits, less is better; null where a word is missing. */
function rank([, title, heading, text], words) {
  const [head, all] = [`${title} ${heading}`.toLowerCase(), `${title} ${heading} ${text}`.toLowerCase()];
  if (!words.every((word) => all.includes(word))) return null;
  return words.filter((word) => !head.includes(word)).length;
}

/** A piece of the text around the first word. */
function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return `${at ? "…" : ""}${text.slice(at, at + 120)}…`;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = words.length ? SECTIONS.map((section) => [rank(section, words), section]) : [];
  const best = ranked.filter(([place]) => place !== null).sort(([a], [b]) => a - b).slice(0, MOST);
  found.replaceChildren(
    ...best.map(([, [href, title, heading, text]]) => {
      const [item, link, piece] = ["li", "a", "p"].map((tag) => document.createElement(tag));
      link.href = `${root}/${href}`;
      link.textContent = heading === title ? title : `${title}: ${heading}`;
      piece.textContent = excerpt(text, words[0]);
      item.append(link, piece);
      return item;
    }),
  );
  pages.hidden = words.length > 0;
}

field.addEventListener("input", show);
show();
document.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });

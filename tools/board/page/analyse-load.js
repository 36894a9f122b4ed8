// Where a game to analyse comes from: a file that is chosen or dropped, pasted text, or the start
// position of a game. The server reads the text; where it holds several games, a list offers them.
// The definition of a chess variant is a game without a move.
//
//   createLoader(container, {rules, onGame, fail}) → { fold(), end() }
//
// `onGame(record)` gets one of the games of POST /api/records.

import { outer, post } from "./api.js";
import { isDefinition, problemText } from "./definition.js";
import { t } from "./language.js";
import { startText } from "./starts.js";
import { html } from "./svg.js";
import { isVariant, learn, shortTitle } from "./variants.js";
import { resultText, told } from "./words.js";

const LARGEST = 64 * 1024 * 1024;

/** The text of a file. What is no UTF-8 is as old programs wrote it, or as SGF says in `CA`. */
function decoded(bytes) {
  const as = (name, options) => new TextDecoder(name, options).decode(bytes);
  try {
    return as("utf-8", { fatal: true });
  } catch {
    const latin = as("windows-1252");
    const name = /^\s*\(/.test(latin) && /\bCA\[\s*([^\]\s]+)\s*\]/.exec(latin)?.[1];
    return !name || /^utf-?8$/i.test(name) ? latin : as(name);
  }
}

/** A game's title with the size of its board where several sizes share it: "Hadron 5 × 5". */
export function fullTitle({ id, title }) {
  if (isVariant(id)) return shortTitle(title);
  const size = /\d+(x\d+)?$/.exec(id)?.[0];
  if (!size || /\d/.test(title)) return title;
  return `${title} ${size.includes("x") ? size.replace("x", " × ") : `${size} × ${size}`}`;
}

export function createLoader(container, { rules, onGame, fail }) {
  let found = [];

  const list = html("select", { id: "load-list", onchange: () => onGame(found[Number(list.value)]) });
  const before = html(
    "button",
    { type: "button", "aria-label": t("load.previous"), title: t("load.previous"), onclick: () => step(-1) },
    "‹",
  );
  const after = html("button", { type: "button", "aria-label": t("load.next"), title: t("load.next"), onclick: () => step(1) }, "›");
  const several = html(
    "div",
    { class: "load-several", hidden: true },
    html("label", { class: "unseen", for: "load-list" }, t("load.inFile")),
    list,
    before,
    after,
  );

  const file = html("input", {
    type: "file",
    id: "load-file",
    accept: ".jsonl,.json,.tsv,.txt,.pgn,.sgf,.ini,text/*",
    onchange: () => {
      const [chosen] = file.files;
      // The same file may be chosen again when it has changed.
      file.value = "";
      if (chosen) readFile(chosen);
    },
  });
  const drop = html(
    "div",
    { class: "load-drop" },
    html("label", { for: "load-file" }, t("load.file")),
    file,
    html("p", { class: "load-note" }, t("load.fileNote")),
  );

  const text = html("textarea", {
    id: "load-text",
    rows: "4",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: "G4,NE A2,S …",
  });
  const game = html("select", { id: "load-game" }, html("option", { value: "" }, t("load.detect")));
  const variantOptions = () => rules.variants.map(({ id, title }) => html("option", { value: id }, shortTitle(title)));
  for (const entry of rules.games) game.append(html("option", { value: entry.id }, fullTitle(entry)));
  game.append(html("optgroup", { label: t("variant.any") }, ...variantOptions()));
  const paste = html(
    "form",
    { class: "load-paste", onsubmit: readPaste },
    html("label", { for: "load-text" }, t("load.paste")),
    text,
    html("label", { for: "load-game" }, t("load.game")),
    html("div", { class: "load-row" }, game, html("button", { type: "submit", class: "main" }, t("load.submit"))),
  );

  const starts = html("div", { class: "load-starts" }, html("p", { id: "load-starts" }, t("load.starts")));
  const buttons = html("div", { class: "load-row", role: "group", "aria-labelledby": "load-starts" });
  /** A game without a move. */
  const begun = (id, board) => ({ game: id, board, white: "", black: "", moves: [], values: [], result: null, title: "" });
  for (const entry of rules.games) {
    const layouts = entry.starts.filter(({ gives }) => !gives);
    for (const start of layouts) {
      const label = [fullTitle(entry), layouts.length > 1 && startText(entry.id, start)].filter(Boolean).join(", ");
      const record = begun(start.id, null);
      buttons.append(html("button", { type: "button", class: "quiet", onclick: () => offer([record]) }, label));
    }
  }
  const variant = html("select", { id: "load-variant", "aria-label": t("variant.which") }, ...variantOptions());
  const begin = html("button", { type: "button", class: "quiet", onclick: () => offer([begun(variant.value, null)]) }, t("load.begin"));
  buttons.append(html("a", { class: "button", href: outer("/analyse?edit") }, t("edit.title")));
  starts.append(buttons, html("div", { class: "load-row load-variant" }, variant, begin));

  const box = html(
    "details",
    { class: "load panel", open: true },
    html("summary", {}, t("load.title")),
    html("div", { class: "load-ways" }, drop, paste, starts),
  );
  container.append(several, box);

  /** The variants of a definition, each as a game without a move. */
  async function defined(text) {
    const { variants, problem } = await post("/api/variants", { text });
    if (problem) throw new Error(`${t("definition.line", problem)}, ${problemText(problem)}`);
    const games = [];
    for (const { variant } of variants) {
      const { id, title } = learn((await post("/api/variants", { text, name: variant.name })).game);
      games.push({ ...begun(id, null), title: shortTitle(title) });
    }
    return games;
  }

  async function recorded(text) {
    const { games, left_out, wrong } = await post("/api/records", { text, ...(game.value && { game: game.value }) });
    return { games, wrong: left_out ? t("load.leftOut", { count: left_out, wrong }) : null };
  }

  async function read(content) {
    try {
      const { games, wrong } = isDefinition(content) ? { games: await defined(content) } : await recorded(content);
      if (!games.length) throw new Error(t("load.none"));
      offer(games);
      if (wrong) fail(new Error(wrong));
    } catch (error) {
      // A message about a game whose Black is red names it.
      fail(error, game.value || (rules.games.find(({ title }) => error.message.includes(title))?.id ?? null));
    }
  }

  async function readFile(chosen) {
    if (!chosen) return;
    if (chosen.size > LARGEST) {
      fail(
        new Error(t("load.large", { name: chosen.name, size: Math.round(chosen.size / 1048576), most: LARGEST / 1048576 })),
      );
      return;
    }
    try {
      await read(decoded(await chosen.arrayBuffer()));
    } catch (error) {
      fail(error);
    }
  }

  function readPaste(event) {
    event.preventDefault();
    if (text.value.trim()) read(text.value);
    else {
      fail(new Error(t("load.empty")));
      text.focus();
    }
  }

  function offer(games) {
    found = games;
    several.hidden = games.length < 2;
    list.replaceChildren(
      ...games.map((record, index) =>
        html(
          "option",
          { value: index },
          [`${index + 1}. ${told(record.game, record.title)}`, record.result && resultText(record.game, record.result)].filter(Boolean).join(" · "),
        ),
      ),
    );
    show(0);
    onGame(games[0]);
  }

  function show(index) {
    list.value = String(index);
    before.disabled = index === 0;
    after.disabled = index === found.length - 1;
  }

  function step(by) {
    show(Number(list.value) + by);
    onGame(found[Number(list.value)]);
  }

  list.addEventListener("change", () => show(Number(list.value)));

  // Files may be dropped anywhere on the page.
  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.add("over");
  };
  const leave = (event) => event.relatedTarget || drop.classList.remove("over");
  const dropped = (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    drop.classList.remove("over");
    readFile(event.dataTransfer.files[0]);
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", leave);
  document.addEventListener("drop", dropped);

  return {
    /** Leaves only the heading, as a game is shown now. */
    fold: () => (box.open = false),
    end() {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", dropped);
    },
  };
}

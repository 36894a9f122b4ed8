// The board editor: pieces are put on a board and taken off it, the side to move is chosen, and
// what the rules accept can be analysed or played from. The address has the position, as a text
// board.

import { queryOf } from "./analyse-link.js";
import { outer, post, rulesOf } from "./api.js";
import { createBoard } from "./board.js";
import { createHereLink } from "./from-here.js";
import { t } from "./language.js";
import { html, svg } from "./svg.js";
import { drawPiece } from "./pieces.js";
import { contentName, familyOf, isVoid, sentence, sideName, titleOf, told } from "./words.js";

/** The pieces of the games that are no variants, White's first. */
const PIECES = { murus: "WwBb", hadron: "wb", loa: "wb", voidrider: "KRBNPVkrbnpv" };

/** All that may lie on a cell of a game: its pieces, nothing, and the void where the game has any. */
function lettersOf(rules) {
  const small = rules.variant?.pieces.map(({ letter }) => letter) ?? [];
  const pieces = rules.variant ? [...small.map((letter) => letter.toUpperCase()), ...small] : [...PIECES[familyOf(rules.id)]];
  const cells = rules.starts[0].rows.join("");
  return [...pieces, ".", ...["#", "*"].filter((letter) => cells.includes(letter))];
}

/** The rights to castle that the kings and rooks of these rows still have. */
function rightsOf(rights, start, rows) {
  const stands = (letter, left) => {
    const y = start.findIndex((row) => row.includes(letter));
    const x = left ? start[y]?.indexOf(letter) : start[y]?.lastIndexOf(letter);
    return y >= 0 && rows[y][x] === letter;
  };
  const kept = [...rights].filter((right) => {
    const small = right.toLowerCase();
    const [king, rook] = right === small ? ["k", "r"] : ["K", "R"];
    return "duqk".includes(small) && stands(king, true) && stands(rook, "dq".includes(small));
  });
  return kept.join("") || "-";
}

/** A text board of these rows: the other fields are those of the start, as far as the pieces allow. */
function textBoard(rules, rows, side) {
  const { board, rows: start } = rules.starts[0];
  const fields = board.split(" ").slice(2);
  const castling = rules.variant ? 0 : 1;
  if (fields[castling]) fields[castling] = rightsOf(fields[castling], start, rows);
  // In Hadron the plies are the stones.
  if (familyOf(rules.id) === "hadron") fields[0] = String(rows.join("").replace(/\./g, "").length);
  return [rows.join("/"), side[0], ...fields].join(" ");
}

export function show(main, { rules: all, query, navigate, fail }) {
  document.title = `${t("edit.title")} – Alesia`;
  let ended = false;
  let turn = 0; // of the questions to the server: a late answer is dropped
  let rules = null;
  let rows = [];
  let side = "white";
  let chosen = ".";
  let board = null;

  const option = (value, text, now) => html("option", { value, selected: value === now }, text);
  const wanted = query.get("game") ?? all.games[0].id;
  const listed = [...all.games, ...all.variants].map(({ id }) => id);
  const game = html(
    "select",
    { name: "game", onchange: () => navigate(`/analyse?edit&game=${encodeURIComponent(game.value)}`) },
    ...[...new Set([...listed, wanted])].map((id) => option(id, titleOf(all, id), wanted)),
  );
  const turnOf = html("select", { name: "side", onchange: () => ((side = turnOf.value), take(rows)) });
  const palette = html("div", { class: "palette", role: "group", "aria-label": t("edit.palette") });
  const text = html("input", { type: "text", readonly: true, "aria-label": t("edit.text"), onfocus: () => text.select() });
  const problem = html("p", { class: "edit-problem", role: "status" });
  const analyse = html("a", { class: "button", "data-action": "analyse" }, t("game.analyse"));
  const here = createHereLink();
  here.element.classList.add("main");
  const button = (action, words, onclick) => html("button", { type: "button", "data-action": action, onclick }, words);
  const clear = button("clear", t("edit.clear"), () => take(rows.map((row) => row.replace(/[^#*]/g, "."))));
  const reset = button("reset", t("edit.reset"), () => take(rules.starts[0].rows));
  const field = (words, control) => html("label", { class: "choice" }, html("span", {}, words), control);
  const boardBox = html("div", { class: "editor-board" });
  const panel = html(
    "section",
    { class: "panel editor-panel" },
    html("div", { class: "editor-choices" }, field(t("new.game"), game), field(t("edit.side"), turnOf)),
    html("div", { class: "editor-pieces" }, html("p", { class: "quiet-text" }, t("edit.about")), palette),
    html(
      "div",
      { class: "editor-rest" },
      html("div", { class: "editor-actions" }, reset, clear),
      field(t("edit.text"), text),
      problem,
      html("div", { class: "editor-actions" }, here.element, analyse),
    ),
  );
  main.append(html("div", { class: "editor" }, html("h1", {}, t("edit.title")), panel, boardBox));

  function drawPalette() {
    const entry = (letter) => {
      const name = contentName(rules.id, letter);
      const picture = svg("svg", { viewBox: "0 0 100 100", width: 34, height: 34, class: `palette-cell ${isVoid(letter) ? "void" : ""}`, "aria-hidden": "true" });
      picture.append(svg("rect", { width: 100, height: 100 }), ...[drawPiece(rules.id, letter)].filter(Boolean));
      const pick = () => {
        chosen = letter;
        for (const [i, other] of [...palette.children].entries()) other.setAttribute("aria-pressed", lettersOf(rules)[i] === chosen);
      };
      return html("button", { type: "button", "data-letter": letter, "aria-label": name, title: name, "aria-pressed": String(letter === chosen), onclick: pick }, picture);
    };
    palette.replaceChildren(...lettersOf(rules).map(entry));
  }

  /** Puts the chosen piece on a cell; where it lies already, it goes. */
  function put(name) {
    const y = rules.cells.findIndex((row) => row.includes(name));
    const x = rules.cells[y].indexOf(name);
    const letter = rows[y][x] === chosen ? "." : chosen;
    take(rows.map((row, i) => (i === y ? row.slice(0, x) + letter + row.slice(x + 1) : row)));
  }

  function take(next) {
    rows = next;
    board.show({ rows, side, flipped: false });
    const position = { game: rules.id, board: textBoard(rules, rows, side) };
    text.value = position.board;
    const link = queryOf(position);
    history.replaceState(history.state, "", outer(`/analyse?edit&${link}`));
    analyse.href = outer(`/analyse?${link}`);
    check(position);
  }

  /** Asks the rules whether this is a position of the game. */
  async function check(position) {
    const mine = ++turn;
    const answer = await post("/api/positions", { ...position, moves: [] }).catch((error) => ({ error }));
    if (ended || mine !== turn) return;
    const { error, result } = answer;
    problem.textContent = error ? sentence(told(rules.id, error.message)) : result ? t("here.over") : "";
    analyse.hidden = Boolean(error);
    here.show(error || result ? null : { ...position, moves: [] });
  }

  async function begin() {
    try {
      rules = await rulesOf(all, wanted);
      const given = query.get("board");
      // The server reads the text board, as its rows may be written in several ways.
      const start = given && (await post("/api/positions", { game: wanted, board: given, moves: [] }).catch(() => null));
      if (ended) return;
      side = start?.now.side ?? (given?.split(" ")[1] === "b" ? "black" : "white");
      chosen = lettersOf(rules)[0];
      turnOf.append(...["white", "black"].map((value) => option(value, sideName(rules.id, value), side)));
      drawPalette();
      board = createBoard(boardBox, rules, { onCell: put });
      take(start?.now.rows ?? rules.starts[0].rows);
    } catch (error) {
      if (!ended) fail(error, wanted);
    }
  }

  begin();
  return () => {
    ended = true;
  };
}

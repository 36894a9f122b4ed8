// The board of all games, drawn as one SVG element and played by mouse, touch or keyboard.
//
//   createBoard(container, rules, {onMove, onCell, onAhead}) → { show(view), focus(), element }
//
// `rules` is a game's Rules of GET /api/rules. `onMove(move)` is called with the Move that a person
// has chosen among view.legal, after the question for the promotion piece if there is one. The
// board changes nothing by itself: it shows what the next view says. With `onCell(name)` nothing is
// played: that is called with each cell that is clicked or entered. `onAhead({from, to})` is called
// with the cells of a move that is entered while the other side thinks, onAhead(null) to cancel it.
//
//   view = {
//     rows,               ["BBBBBBBB", …] from top to bottom
//     side,               "white" | "black": the side to move
//     legal,              [Move…] that may be played here; [] = not to be played on
//     cells,              [names] to mark as the last move, the cell it left first
//     check,              null | the cell of a king in check
//     arrows,             [{move, weight: 0..1, label: "63 %" or "", kind}…] from move.from to
//                         move.to; a ring where from is null (Hadron); kind: "best" for the move
//                         that would be played, "line" for those of a variation, "played" or
//                         "better" in a review. Of labels the first have the first choice of places
//     flipped,            true: Black (Red) at the bottom
//     ply,                optional, the number of plies played (for data-ply)
//     ahead,              optional, {side, places, move}: a move of `side` may be entered ahead, by
//                         a cell alone where it `places` stones; `move` is what was entered, or
//                         null
//   }
//
// The element carries data-game and data-ply, each cell data-cell="G4", a cell that is a target at
// the moment also data-target with the kind of its move, a selected cell aria-selected="true".

import { svg, html } from "./svg.js";
import { createOwnMarks } from "./own-marks.js";
import { drawPiece } from "./pieces.js";
import { drawLabels } from "./labels.js";
import { drawTarget, drawArrow, clickCells, explain } from "./marks.js";
import { askPromotion } from "./promotion.js";
import { slidePieces } from "./slide.js";
import { t } from "./language.js";
import { flagMark } from "./flags.js";
import { familyOf, contentName, hasVoid, isVoid, pieceOf, sideName } from "./words.js";

const CELL = 100;
const EDGE = 42;
const RIM = 10;

/** The pieces of which the legend can say that only they can move. */
const CHOSEN = new Set(["tower", "stone", "king", "rook", "bishop", "knight", "pawn", "voidrider"]);

export function createBoard(container, rules, { onMove, onCell, onAhead } = {}) {
  const game = rules.id;
  const family = familyOf(game);
  const height = rules.rows.length;
  const width = rules.columns.length;
  const names = rules.cells.flat();
  const flags = rules.variant?.flags ?? [[], []];
  const flagOf = (name) => ["white", "black"].filter((side, i) => flags[i].includes(name));
  const cellsSize = [width * CELL, height * CELL];
  const cells = new Map();

  let view = { rows: rules.rows.map(() => ".".repeat(width)), side: "white", legal: [], cells: [], check: null, arrows: [], flipped: false };
  let selected = null;
  let focused = names[0];
  let aimed = null;
  let drag = null;
  let justDragged = false;
  let targets = new Map();
  let drawnTargets = [];

  const layers = Object.fromEntries(
    ["squares", "last", "pieces", "targets", "arrows", "own"].map((name) => [name, svg("g", { class: `layer-${name}` })]),
  );
  const overlays = svg("g", { class: "overlays", "aria-hidden": "true" }, layers.last, layers.pieces, layers.targets, layers.arrows, layers.own);
  const edges = svg("g", { class: "edges", "aria-hidden": "true" });
  const picture = svg("svg", {
    viewBox: `${-EDGE} ${-RIM} ${width * CELL + EDGE + RIM} ${height * CELL + EDGE + RIM}`,
    class: `board ${family}${hasVoid(rules) ? " voids" : ""}`,
    role: "grid",
    "aria-label": t("board.label", { title: rules.title }),
    "data-game": game,
  });
  picture.append(
    svg("rect", { x: -4, y: -4, width: width * CELL + 8, height: height * CELL + 8, rx: 8, class: "ground", "aria-hidden": "true" }),
    layers.squares,
    edges,
    overlays,
  );
  const legend = html("p", { class: "legend" });
  const element = html("div", { class: "board-box" }, picture, legend);
  const [wholeWidth, wholeHeight] = [width * CELL + EDGE + RIM, height * CELL + EDGE + RIM];
  element.style.setProperty("--board-ratio", wholeWidth / wholeHeight);
  // Where the cells begin and end, for what stands beside them.
  const inset = { left: EDGE / wholeWidth, right: RIM / wholeWidth, top: RIM / wholeHeight, bottom: EDGE / wholeHeight };
  for (const [edge, share] of Object.entries(inset)) element.style.setProperty(`--cells-${edge}`, `${(100 * share).toFixed(3)}%`);
  container.append(element);

  const letterAt = (name) => view.rows[cells.get(name).row][cells.get(name).column];
  const origin = (name) => {
    const { row, column } = cells.get(name);
    return view.flipped ? [(width - 1 - column) * CELL, (height - 1 - row) * CELL] : [column * CELL, row * CELL];
  };
  const centre = (name) => origin(name).map((n) => n + CELL / 2);

  /** Whether a piece lies there that may be moved ahead. */
  const isOwn = (name) => Boolean(name && view.ahead) && pieceOf(game, letterAt(name))?.side === view.ahead.side;

  /** The cells in the order in which they are seen, so that keys and screen readers follow the eye. */
  function build() {
    layers.squares.replaceChildren();
    layers.pieces.replaceChildren();
    edges.replaceChildren();
    cells.clear();
    const turn = (list) => (view.flipped ? [...list.keys()].reverse() : [...list.keys()]);
    for (const row of turn(rules.rows)) {
      const line = svg("g", { role: "row" });
      for (const column of turn(rules.columns)) {
        const name = rules.cells[row][column];
        const tile = svg("rect", { width: CELL, height: CELL, class: "tile" });
        const title = svg("title");
        const group = svg(
          "g",
          { role: "gridcell", "data-cell": name, tabindex: name === focused ? 0 : -1 },
          tile,
          flagMark(flagOf(name)),
          svg("rect", { x: 4, y: 4, width: CELL - 8, height: CELL - 8, rx: 4, class: "focus-ring" }),
          title,
        );
        cells.set(name, { row, column, group, tile, title, letter: null, piece: null });
        const [x, y] = origin(name);
        group.setAttribute("transform", `translate(${x} ${y})`);
        line.append(group);
      }
      layers.squares.append(line);
    }
    turn(rules.rows).forEach((row, i) => edge(-EDGE / 2 - 2, i * CELL + CELL / 2 + 10, rules.rows[row]));
    turn(rules.columns).forEach((column, i) => edge(i * CELL + CELL / 2, height * CELL + EDGE - 8, rules.columns[column]));
  }

  function edge(x, y, text) {
    edges.append(svg("text", { x, y, class: "coordinate" }, text));
  }

  function show(next) {
    const before = view;
    const rebuilt = cells.size === 0 || next.flipped !== before.flipped;
    view = { cells: [], arrows: [], check: null, legal: [], ...next };
    if (rebuilt) build();
    const moved = before.rows.join("/") !== view.rows.join("/");
    // A report of the engine changes nothing that a drag is about.
    if (moved || rebuilt || (drag && !isOwn(drag.name) && !view.legal.some((move) => move.from === drag.name))) endDrag();
    // A piece that was chosen ahead stays so, if it can move now.
    const canMove = view.legal.some((move) => move.from === selected);
    if (!(canMove && (!moved || before.ahead)) && !(view.ahead && !moved && isOwn(selected))) selected = null;
    picture.dataset.ply = view.ply ?? "";
    if (moved) own.clear();
    else if (rebuilt) own.draw();
    drawPieces();
    if (moved && !rebuilt) slidePieces(game, names, before.rows, view.rows, cells, origin);
    drawLast();
    // The move that would be played lies above the others.
    const rank = ({ weight, kind }) => (kind === "best" ? 2 : weight);
    const arrows = [...view.arrows].sort((one, other) => rank(one) - rank(other));
    layers.arrows.replaceChildren(...arrows.map((arrow) => drawArrow(arrow, centre)), ...drawLabels(view.arrows, centre, cellsSize));
    refresh();
  }

  function drawPieces() {
    for (const name of names) {
      const cell = cells.get(name);
      const letter = letterAt(name);
      const parity = (cell.row + cell.column) % 2 ? "odd" : "even";
      const home = family === "murus" && (cell.row === 0 || cell.row === height - 1) ? " home" : "";
      cell.tile.setAttribute("class", isVoid(letter) ? "tile void" : `tile ${parity}${home}`);
      if (cell.letter === letter) continue;
      cell.piece?.remove();
      const piece = drawPiece(game, letter);
      cell.piece = piece && svg("g", { transform: `translate(${origin(name).join(" ")})` }, piece);
      if (cell.piece) layers.pieces.append(cell.piece);
      cell.letter = letter;
    }
  }

  function drawLast() {
    const marks = view.cells.map((name, i) => {
      const [x, y] = origin(name);
      const left = i === 0 && view.cells.length > 1;
      return svg("rect", { x: x + 4, y: y + 4, width: 92, height: 92, rx: 6, class: left ? "last-left" : "last-new" });
    });
    if (view.check) {
      const [x, y] = centre(view.check);
      marks.push(svg("circle", { cx: x, cy: y, r: 46, class: "check" }));
    }
    const { from, to } = view.ahead?.move ?? {};
    for (const name of [from, to].filter(Boolean)) {
      const [x, y] = origin(name);
      marks.push(svg("rect", { x: x + 4, y: y + 4, width: 92, height: 92, rx: 6, class: "ahead" }));
    }
    layers.last.replaceChildren(...marks);
  }

  /** Everything that follows from the selection: targets, labels, legend. */
  function refresh() {
    const offered = view.legal.filter((move) => move.from === selected);
    targets = new Map();
    for (const move of offered) {
      for (const name of clickCells(move)) targets.set(name, [...(targets.get(name) ?? []), move]);
    }
    const once = offered.filter((move, i) => offered.findIndex((other) => other.to === move.to) === i);
    // The rook of a castling arrives where the king may also go alone: that mark lies above.
    once.sort((a, b) => (b.kind === "castle") - (a.kind === "castle"));
    drawnTargets = once.map((move) => ({ names: clickCells(move), mark: drawTarget(move, centre) }));
    layers.targets.replaceChildren(...drawnTargets.map(({ mark }) => mark));
    const movable = new Set(view.legal.map((move) => move.from));
    for (const [name, { group, title }] of cells) {
      const target = targets.get(name)?.[0];
      label(name, target, movable.has(name));
      group.classList.toggle("movable", movable.has(name));
      group.classList.toggle("selected", name === selected);
      group.classList.toggle("ahead-own", isOwn(name));
      if (target) group.dataset.target = target.kind;
      else delete group.dataset.target;
      title.textContent = target?.kind === "sacrifice" ? t("board.sacrifice") : "";
    }
    aim(aimed);
    legend.replaceChildren(...legendText(offered));
  }

  function label(name, target, movable) {
    const parts = [name, contentName(game, letterAt(name))];
    for (const side of flagOf(name)) parts.push(t("cell.flag", { side: sideName(game, side) }));
    if (view.check === name) parts.push(t("cell.check"));
    if (view.cells.includes(name)) parts.push(t("cell.last"));
    if (Object.values(view.ahead?.move ?? {}).includes(name)) parts.push(t("cell.ahead"));
    if (name === selected) parts.push(t("cell.selected"));
    else if (target) parts.push(t(`kind.${target.kind}`));
    else if (movable) parts.push(t("cell.movable"));
    cells.get(name).group.setAttribute("aria-label", parts.join(", "));
    cells.get(name).group.setAttribute("aria-selected", name === selected ? "true" : "false");
  }

  function legendText(offered) {
    if (view.ahead?.move) return [t("board.ahead", { move: Object.values(view.ahead.move).filter(Boolean).join("–") })];
    if (view.ahead && selected) return [t("board.aheadTo", { from: selected })];
    if (view.legal.length === 0) return [];
    if (selected) return explain(new Set(offered.map((move) => move.kind)));
    const side = sideName(game, view.side);
    if (view.legal.every((move) => move.from === null)) return [t("board.place", { side })];
    const kinds = new Set(view.legal.map((move) => pieceOf(game, letterAt(move.from)).name));
    const only = kinds.size === 1 ? [...kinds][0] : null;
    return [t(`board.choose.${CHOSEN.has(only) ? only : "piece"}`, { side })];
  }

  /** Lights up the marks of the move under the pointer or the keyboard's focus. */
  function aim(name) {
    aimed = name;
    const hit = name !== null && targets.has(name);
    picture.classList.toggle("aiming", hit);
    for (const { names: at, mark } of drawnTargets) mark.classList.toggle("aimed", hit && at.includes(name));
  }

  function select(name) {
    selected = name;
    refresh();
  }

  /** A click or Enter on a cell: plays a target, selects a piece that can move, else says why not. */
  function act(name) {
    if (onCell) return onCell(name);
    if (view.ahead) return actAhead(name);
    const moves = targets.get(name);
    if (moves) choose(moves);
    else if (name === selected) select(null);
    else if (view.legal.some((move) => move.from === name)) select(name);
    else refuse(name);
  }

  /** The same while the other side thinks: what was entered is cancelled by the next click. */
  function actAhead(name) {
    const { move, places } = view.ahead;
    if (move) {
      const again = Object.values(move).includes(name);
      onAhead(null);
      if (again) return;
    }
    const from = selected;
    if (places) onAhead({ from: null, to: name });
    else if (from && from !== name) {
      select(null);
      onAhead({ from, to: name });
    } else select(from || !isOwn(name) ? null : name);
  }

  /** Says why nothing happens at a cell; the choice stays. */
  function refuse(name) {
    if (view.legal.length === 0) return;
    const content = contentName(game, letterAt(selected ?? name));
    const own = pieceOf(game, letterAt(name))?.side === view.side && !view.legal.some((move) => move.from === name);
    const words =
      view.legal[0].from === null ? t("board.noPlace", { cell: name })
      : own ? t("board.stuck", { cell: name })
      : selected ? t("board.noTarget", { from: selected, content, cell: name })
      : t("board.notYours", { side: sideName(game, view.side) });
    legend.replaceChildren(html("span", { role: "status" }, words));
  }

  async function choose(moves) {
    const ply = view.rows.join("/");
    const move = moves.length === 1 ? moves[0] : await askPromotion(element, game, view.side, moves);
    // Events may have made the moves anew while the person chose.
    const now = ply === view.rows.join("/") && view.legal.find((legal) => legal.move === move?.move);
    if (!now) {
      focus();
      return;
    }
    select(null);
    onMove?.(now);
  }

  const focus = (name = focused) => cells.get(name).group.focus({ preventScroll: true });

  /** One cell at a time is in the page's tab order: the one that had the focus last. */
  function onFocus(event) {
    const name = cellOf(event.target);
    if (!name) return;
    cells.get(focused).group.setAttribute("tabindex", "-1");
    cells.get(name).group.setAttribute("tabindex", "0");
    focused = name;
    aim(name);
  }

  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { row, column } = cells.get(focused);
    const sign = view.flipped ? -1 : 1;
    if (STEPS[event.key]) {
      const [down, right] = STEPS[event.key];
      const name = rules.cells[row + sign * down]?.[column + sign * right];
      if (name) focus(name);
    } else if (event.key === "Home") focus(rules.cells[row][view.flipped ? width - 1 : 0]);
    else if (event.key === "End") focus(rules.cells[row][view.flipped ? 0 : width - 1]);
    else if (event.key === "Enter" || event.key === " ") act(focused);
    else if (event.key === "Escape" && selected) select(null);
    else if (event.key === "Escape" && view.ahead?.move) onAhead(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const cellOf = (target) => target.closest?.("[data-cell]")?.dataset.cell ?? null;

  function onPointerDown(event) {
    const name = cellOf(event.target);
    justDragged = false;
    if (event.pointerType !== "mouse" || event.button !== 0 || !name) return;
    if (view.legal.some((move) => move.from === name) || (isOwn(name) && !view.ahead.places && !view.ahead.move)) drag = { name, x: event.clientX, y: event.clientY, moving: false };
  }

  function onPointerMove(event) {
    if (!drag) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moving && Math.hypot(dx, dy) < 7) return;
    if (!drag.moving) {
      drag.moving = true;
      picture.setPointerCapture(event.pointerId);
      picture.classList.add("dragging");
      if (selected !== drag.name) select(drag.name);
      layers.pieces.append(cells.get(drag.name).piece);
    }
    const scale = (width * CELL + EDGE + RIM) / picture.getBoundingClientRect().width;
    const [x, y] = origin(drag.name);
    cells.get(drag.name).piece.setAttribute("transform", `translate(${x + dx * scale} ${y + dy * scale})`);
    aim(cellAt(event));
  }

  function onPointerUp(event) {
    if (!drag) return;
    const { moving } = drag;
    endDrag();
    if (!moving) return;
    justDragged = true;
    const name = cellAt(event);
    if (!name) return;
    if (targets.has(name) || (view.ahead && name !== selected)) act(name);
    else if (name !== selected) refuse(name);
  }

  function endDrag() {
    if (!drag) return;
    const piece = cells.get(drag.name).piece;
    piece?.setAttribute("transform", `translate(${origin(drag.name).join(" ")})`);
    picture.classList.remove("dragging");
    drag = null;
  }

  function onClick(event) {
    const name = cellOf(event.target);
    if (!name || justDragged) {
      justDragged = false;
      return;
    }
    if (name !== focused) focus(name);
    act(name);
  }

  const cellAt = ({ clientX, clientY }) => cellOf(document.elementFromPoint(clientX, clientY) ?? picture);
  const own = createOwnMarks({ picture, layer: layers.own, cellAt, centre });
  picture.addEventListener("keydown", onKey);
  picture.addEventListener("click", onClick);
  picture.addEventListener("pointerdown", onPointerDown);
  picture.addEventListener("pointermove", onPointerMove);
  picture.addEventListener("pointerup", onPointerUp);
  picture.addEventListener("pointercancel", endDrag);
  picture.addEventListener("pointerover", (event) => aim(cellOf(event.target)));
  picture.addEventListener("pointerleave", () => aim(null));
  picture.addEventListener("focusin", onFocus);
  picture.addEventListener("focusout", () => aim(null));

  return { show, focus: () => focus(), element };
}

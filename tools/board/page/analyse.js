// The analysis: a game with its variations on a board, an engine that searches the shown position,
// a review of the whole game, and the value over the plies. This module has the state (the tree of
// positions and the shown one) and joins the parts; each part has its own module.

import { addressFor, outer, post, rulesOf } from "./api.js";
import { keepLink, keptExtra, linkOf, queryOf, readLink } from "./analyse-link.js";
import { createLive } from "./analyse-live.js";
import { arrowsOf, lineArrows } from "./candidates.js";
import { createLoader, fullTitle } from "./analyse-load.js";
import { createMoves, numberOf, SYMBOLS } from "./analyse-moves.js";
import { createExport } from "./analyse-export.js";
import { createNote, keepReview, keptReview, nextMistake, openingOf, reviewedMoves } from "./analyse-mistakes.js";
import { createReview } from "./analyse-review.js";
import { createSteps } from "./analyse-steps.js";
import { createBoard } from "./board.js";
import { createBookMoves } from "./book-moves.js";
import { createEvalBar } from "./evalbar.js";
import { createHereLink } from "./from-here.js";
import { createGraph, hasCurve } from "./graph.js";
import { guideButton } from "./guide.js";
import { playerName, t } from "./language.js";
import { createNotes } from "./notes.js";
import { events } from "./streams.js";
import { html } from "./svg.js";
import { addMoves, choose, createTree, isMain, mainLine, movesTo, packed, pathTo, remove, unpack } from "./variations.js";
import { resultOf, resultText, sideName, valueOf, written } from "./words.js";

export function show(main, { rules, query, say, fail: complain, clear }) {
  document.title = `${t("analyse.title")} – Alesia`;
  let ended = false;
  let record = null; // {game, board, white, black, result}
  let root = null;
  let current = null;
  let finish = null; // where the game has its result; moves may have been added after it
  let reviewed = []; // the nodes of the game that a review is of; none if there is no review
  let board = null;
  let evalBar = null;
  let report = null; // of the live analysis
  let looked = null; // the line of the candidate that is pointed at
  let flipped = false;
  let asked = 0;
  let linkTimer = 0; // until what was changed is put into the address
  let address = location.href; // as last put
  let stream = null; // of the game that is taken over

  const fail = (error, game = record?.game) => complain(error, game);

  const title = html("h1", {}, t("analyse.title"));
  const about = html(
    "p",
    { class: "quiet-text" },
    t("analyse.about"),
  );
  const boardBox = html("div", { class: "analyse-board" });
  const state = html("p", { class: "analyse-state" });
  const noteBox = html("div", { class: "analyse-note" });
  const left = html("div", { class: "analyse-left" }, boardBox, state, noteBox);
  const movesPanel = html(
    "section",
    { class: "panel analyse-moves", "aria-labelledby": "moves-title" },
    html("h2", { id: "moves-title" }, t("moves.title")),
  );
  const work = html("div", { class: "analyse-work", hidden: true }, left);
  const loading = html("div", { class: "analyse-load" });
  const guide = html("div", { class: "analyse-guide" });
  const here = createHereLink();
  const edit = html("a", { class: "button", "data-action": "edit" }, t("edit.open"));
  const head = html("div", { class: "analyse-head" }, html("div", { class: "analyse-title" }, title, about), guide, loading);
  main.append(html("div", { class: "analyse" }, head, work));

  const loader = createLoader(loading, { rules, onGame: open, fail });
  const steps = createSteps(left, {
    boardBox,
    current: () => current,
    onGo(node) {
      go(node);
      say(spoken(node));
    },
    onFlip() {
      flipped = !flipped;
      draw();
    },
    onDelete: drop,
    link() {
      const path = link();
      return path && addressFor(path, rules.token);
    },
    say,
    fail,
  });
  const graphBox = html("div", { class: "analyse-graph" });
  work.append(graphBox);
  const bar = () => evalBar.show({ value: valueAt(current), flipped });
  const graph = createGraph(graphBox, { onPly: (k) => go(mainLine(root)[k]) });
  const live = createLive(work, {
    onReport(data) {
      report = data;
      draw();
    },
    onWalk: walk,
    onLook(line) {
      looked = line;
      draw();
    },
    fail,
    say,
  });
  work.append(movesPanel);
  const moves = createMoves(movesPanel, { onGo: (node) => go(node), onDelete: drop });
  const notes = createNotes(movesPanel, {
    onChange(node) {
      moves.note(node);
      linkTimer ||= setTimeout(keep, 1000);
    },
    // A reload asks no page what it would still keep.
    onDone: keep,
  });
  const book = createBookMoves(movesPanel, { onPlay: (move) => play(move.move) });
  const note = createNote(noteBox, {
    onLook(node, move) {
      go(node.parent);
      play(move.move);
    },
  });
  const review = createReview(work, { onPlies: takePlies, onMistake: toMistake, fail, say });

  // Where the game comes from

  /** The moves of a game of the lobby, as they stand now. */
  function takeOver(id, ply) {
    stream = events(`/api/games/${encodeURIComponent(id)}/events`, {
      async game(game) {
        stream();
        const usual = await rulesOf(rules, game.game).then(
          ({ starts }) => starts.find(({ id }) => id === game.game)?.board,
          () => null,
        );
        if (ended) return;
        open({
          game: game.game,
          board: game.start.board === usual ? null : game.start.board,
          white: game.seats.white.name,
          black: game.seats.black.name,
          moves: game.moves.map((move) => move.move),
          // Chance has no opinion.
          values: game.moves.map(({ side, report }) => (game.seats[side].engine === "random" ? null : (report?.value ?? null))),
          opening: openingOf(game.moves),
          result: game.result?.text ?? null,
          ply: ply ?? game.moves.length,
        });
      },
      failed: (error) => fail(error),
    });
  }

  /** Shows a game: a record of the loader or what an address says, with what was kept beside it. */
  async function open(next, extra = {}) {
    const turn = ++asked;
    try {
      const [gameRules, answer] = await Promise.all([rulesOf(rules, next.game), positionsOf(next, next.moves)]);
      if (ended || turn !== asked) return;
      const tree = createTree(answer.start);
      const last = addMoves(tree, answer.moves, true);
      for (const [number, note] of next.notes ?? []) mainLine(tree)[number + 1].note = note;
      last.position = positionOf(answer);
      // Before the shown line is added, or that would come before the variations beside it.
      unpack(tree, extra.branches ?? []);
      let at = mainLine(tree)[Math.min(next.ply ?? 0, answer.moves.length)];
      if (next.line?.length) {
        const before = mainLine(tree)[Math.min(next.fork ?? 0, answer.moves.length)];
        const whole = await positionsOf(next, [...movesTo(before), ...next.line]);
        if (ended || turn !== asked) return;
        const end = addMoves(before, whole.moves.slice(movesTo(before).length));
        for (at = end; at.ply - tree.ply > next.ply && at !== before;) at = at.parent;
      }
      begin(gameRules, next, tree, at, extra);
    } catch (error) {
      if (!ended && turn === asked) fail(error, next.game);
    }
  }

  function begin(gameRules, next, tree, at, extra) {
    clear();
    record = {
      game: next.game,
      board: next.board ?? null,
      white: next.white ?? "",
      black: next.black ?? "",
      opening: next.opening ?? 0,
      result: next.result ?? extra.result ?? null,
    };
    root = tree;
    const values = next.values ?? extra.values ?? [];
    const line = mainLine(root);
    line.forEach((node, k) => (node.value = values[k] ?? null));
    // The game's end is worth its result, also where the rules did not end it.
    const result = record.result ? resultOf(record.result) : line.at(-1).position.result;
    finish = result ? (line[extra.finish] ?? line.at(-1)) : null;
    if (finish) finish.value = valueOf(result);
    reviewed = extra.plies?.length ? line : [];
    keepReview(reviewed, extra.plies ?? []);
    // A record may name its players after their sides; that is no title.
    const names = [record.white, record.black].filter((name) => name && !/^(white|black|red)$/i.test(name));
    title.textContent = names.length === 2 ? names.map(playerName).join(" – ") : fullTitle(gameRules);
    about.textContent = [names.length === 2 && fullTitle(gameRules), record.result && resultText(record.game, record.result)]
      .filter(Boolean)
      .join(" · ");
    about.hidden = !about.textContent;
    document.title = t("analyse.of", { title: title.textContent });
    const download = createExport({ formats: gameRules.formats, record: () => record, line: () => mainLine(root), fail });
    guide.replaceChildren(guideButton(gameRules, fail), here.element, edit, download);
    boardBox.replaceChildren();
    board = createBoard(boardBox, gameRules, { onMove: (move) => play(move.move) });
    evalBar = createEvalBar(board.element);
    report = null;
    loader.fold();
    work.hidden = false;
    review.end();
    go(at, true);
  }

  const positionsOf = ({ game, board: from }, line) =>
    post("/api/positions", { game, ...(from && { board: from }), moves: line });

  const positionOf = ({ now, result, book }) => ({ ...now, result, book });

  // The shown position

  /** Shows a position; `changed` is true if the tree is another too. */
  function go(node, changed = false) {
    if (!node) return;
    if (node !== current) {
      live.leave();
      report = null;
      looked = null;
    }
    current = node;
    choose(node);
    draw();
    moves.show(record.game, root, current, changed);
    steps.show(root, current);
    drawGraph();
    note.show(current);
    notes.show(current);
    if (changed) {
      review.show({ game: record.game, board: record.board, moves: movesTo(mainLine(root).at(-1)), opening: record.opening });
      review.summary(record.game, reviewedMoves(root));
      // A reload asks no page what it would still keep.
      keep();
    } else {
      clearTimeout(linkTimer);
      linkTimer = setTimeout(keep, 200);
    }
    settle(node);
  }

  /** Fetches the legal moves of the shown position, then lets the engine search it. */
  async function settle(node) {
    try {
      if (!node.position) {
        // A pressed key steps faster than the legal moves are needed.
        await new Promise((resolve) => setTimeout(resolve, 60));
        if (node !== current || ended) return;
        const answer = await positionsOf(record, movesTo(node));
        node.position = positionOf(answer);
      }
      if (node !== current || ended) return;
      draw();
      live.show({
        game: record.game,
        board: record.board,
        moves: movesTo(node),
        first: root.ply,
        over: node.position.result !== null,
      });
    } catch (error) {
      if (node === current && !ended) fail(error);
    }
  }

  /** What is known of the value of a position: its result, of the engine at work, of a review, of the record. */
  function valueAt(node) {
    if (node.position?.result) return valueOf(node.position.result);
    return (node === current && report ? report.report.value : null) ?? node.verdict?.value ?? node.value;
  }

  function draw() {
    if (!board) return;
    bar();
    const { move, position } = current;
    board.show({
      rows: current.rows,
      side: current.side,
      legal: position && !position.result ? position.legal : [],
      cells: move ? [move.from, move.also, move.to].filter(Boolean) : [],
      check: position?.check ?? null,
      arrows: arrows(),
      flipped,
      ply: current.ply,
    });
    book.show(position?.book);
    edit.hidden = !position;
    if (position) edit.href = outer(`/analyse?edit&${queryOf({ game: record.game, board: position.board })}`);
    here.show(position && !position.result ? { game: record.game, board: record.board, moves: movesTo(current) } : null);
    const symbol = current.fault?.mark ? SYMBOLS[current.fault.mark] : "";
    state.textContent = [
      move ? `${numberOf(current.ply - 1)} ${written(move)}${symbol}` : t("analyse.start"),
      position?.result && resultText(record.game, position.result.text),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** The line that is pointed at alone, or what a review and the engine say of the position. */
  function arrows() {
    if (report && looked) return lineArrows(looked);
    return [...reviewArrows(), ...(report ? arrowsOf(report) : [])];
  }

  /** The move that was played, where a review has marked it, and the better one beside it. */
  function reviewArrows() {
    const { fault, move } = current;
    if (!fault?.mark || !fault.best) return [];
    return [
      { move, weight: 0.6, label: SYMBOLS[fault.mark], kind: "played" },
      { move: fault.best, weight: 0.8, label: "", kind: "better" },
    ];
  }

  function drawGraph() {
    const line = mainLine(root);
    const values = line.map((node) => (root.verdict && node !== finish ? (node.verdict?.value ?? null) : node.value));
    const marks = line.flatMap((node, k) => (node.fault?.mark ? [{ ply: k, mark: node.fault.mark }] : []));
    graph.element.hidden = !hasCurve(values);
    graph.show({ game: record.game, first: root.ply, values, ply: isMain(current) ? line.indexOf(current) : null, marks });
  }

  // Variations

  /** Plays a move by hand after the shown position. */
  const play = (move) => walk([{ move }]);

  /** Adds moves after the shown position and goes to the last of them. */
  async function walk(line) {
    const from = current;
    const turn = asked;
    try {
      const known = movesTo(from);
      const answer = await positionsOf(record, [...known, ...line.map((move) => move.move)]);
      if (ended || turn !== asked || from !== current) return;
      const end = addMoves(from, answer.moves.slice(known.length));
      end.position = positionOf(answer);
      go(end, true);
      say(spoken(end));
    } catch (error) {
      if (!ended) fail(error);
    }
  }

  /** Deletes a variation, or moves that were added to the game by hand. */
  function drop(node) {
    const inside = pathTo(current).includes(node);
    const before = remove(node);
    go(inside ? before : current, true);
    say(t("analyse.deleted", { move: `${numberOf(node.ply - 1)} ${written(node.move)}` }));
  }

  const spoken = (node) => `${state.textContent}. ${node.position?.result ? "" : t("analyse.sideToMove", { side: sideName(record.game, node.side) })}`;

  // The review

  /** The marks stay with the moves that were reviewed, whatever is played or deleted meanwhile. */
  function takePlies(plies, finished = false) {
    keepReview(reviewed, plies ?? []);
    if (!plies) reviewed = mainLine(root);
    draw();
    moves.marks();
    drawGraph();
    note.show(current);
    review.summary(record.game, reviewedMoves(root));
    // They come faster than this: a timer that began anew with each would never end.
    linkTimer ||= setTimeout(keep, 1000);
    if (finished) keep();
  }

  function toMistake(by) {
    const node = nextMistake(root, current, by);
    if (node) go(node);
    say(node ? note.text() : t(by > 0 ? "analyse.noNext" : "analyse.noPrevious"));
  }

  // The address, and what it asks for at first

  function link() {
    const line = mainLine(root);
    const path = [root, ...pathTo(current)];
    const main = isMain(current);
    const fork = main ? null : path.findLastIndex((node) => isMain(node));
    return linkOf({
      game: record.game,
      board: record.board,
      moves: line.slice(1).map((node) => node.move.move),
      fork,
      line: main ? [] : path.slice(fork + 1).map((node) => node.move.move),
      ply: current.ply - root.ply,
      white: record.white,
      black: record.black,
      opening: record.opening || null,
    });
  }

  /** Puts what is on the page into its address, so that it comes back with another language or a reload. */
  function keep() {
    clearTimeout(linkTimer);
    linkTimer = 0;
    const line = mainLine(root);
    keepLink(link(), {
      values: line.map((node) => node.value),
      plies: keptReview(root),
      branches: packed(root),
      result: record.result,
      finish: line.indexOf(finish),
    });
    address = location.href;
  }

  const wish = readLink(query);
  if (wish?.id) takeOver(wish.id, wish.ply);
  else if (wish) open(wish, keptExtra());

  /** No engine may work for a page that is gone; one that the browser keeps may come back. */
  const leave = ({ persisted }) => {
    if (linkTimer) keep();
    if (persisted) return;
    live.end();
    review.end();
  };
  window.addEventListener("pagehide", leave);

  return () => {
    window.removeEventListener("pagehide", leave);
    // After a step back in the browser's history the address is another view's.
    if (linkTimer && location.href === address) keep();
    clearTimeout(linkTimer);
    ended = true;
    stream?.();
    loader.end();
    steps.end();
    graph.end();
    live.end();
    review.end();
  };
}

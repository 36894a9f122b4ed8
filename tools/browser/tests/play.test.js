// The page of alesia-lab board, tested as a person would use it. How to run all of it:
//
//   cargo build --workspace && cd tools/browser && npm ci && npm test
//
// Debian's package chromium is the browser; CHROMIUM=PROGRAM names another, ALESIA_BIN_DIR=FOLDER
// other programs than those of target/. `npm run screenshots` makes the pictures of README.md and
// docs/board.md.
//
// This file: a whole game of each kind, played by clicking up to its result.

import assert from "node:assert/strict";
import { LOA, MURUS, VOIDRIDER } from "../support/games.js";
import { gameOf, post } from "../support/server.js";
import { longScene, scene, theBoard } from "../support/stage.js";

const AT_ONE_SCREEN = { white: { kind: "me" }, black: { kind: "me" } };

/** Plays a known game of two people at one screen; returns the kinds of the moves. */
async function playKnown(person, game, moves) {
  await person.startGame({ family: game, white: "me", black: "me" });
  const { moves: known } = await post(person.address, "/api/positions", { game, moves });
  for (const move of known) await person.play(move);
  const end = await person.seesResult();
  assert.deepEqual(end.moves.map((move) => move.move), moves);
  return new Set(known.map((move) => move.kind));
}

/** Whether the cells agree with the server's rows. */
async function assertShown(person, names) {
  const { now } = await gameOf(person.address, person.id);
  const expected = now.rows.map((row) => [...row].map((letter) => names[letter] ?? "empty"));
  assert.deepEqual(await person.contents(), expected);
}

longScene("a game of Murus Gallicus with a sacrifice and distributions", async (stage) => {
  const person = await stage.person();
  const kinds = await playKnown(person, "murus", MURUS);
  assert.deepEqual(kinds, new Set(["distribute", "sacrifice"]));
  await assertShown(person, { w: "white wall", W: "white tower", b: "black wall", B: "black tower" });
});

scene("a distribution is also chosen by its near cell", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", black: "me" });
  await person.play({ from: "G4", to: "F4" });
  const game = await gameOf(person.address, person.id);
  assert.equal(game.moves[0].move, "G4,N");
});

longScene("a game of Lines of Action with captures", async (stage) => {
  const person = await stage.person();
  const kinds = await playKnown(person, "loa", LOA);
  assert.deepEqual(kinds, new Set(["move", "capture"]));
  await assertShown(person, { w: "white stone", b: "black stone" });
});

longScene("a game of Voidrider Chess with space moves and a promotion, to mate", async (stage) => {
  const person = await stage.person();
  const kinds = await playKnown(person, "voidrider", VOIDRIDER);
  assert.deepEqual(kinds, new Set(["move", "capture", "space"]));
  const names = { K: "king", R: "rook", B: "bishop", N: "knight", P: "pawn", V: "voidrider" };
  const pieces = Object.entries(names).flatMap(([letter, name]) => [
    [letter, `white ${name}`],
    [letter.toLowerCase(), `red ${name}`],
  ]);
  await assertShown(person, { ...Object.fromEntries(pieces), "#": "void" });
});

scene("a promotion is asked for, can be thought over, and castling moves the rook", async (stage) => {
  const board = "#.###.#/.P..k../#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#V###V# w 0 DU 0";
  const { id, tokens } = await post(await theBoard(), "/api/games", { game: "voidrider", board, ...AT_ONE_SCREEN });
  const person = await stage.person();
  await person.takeSeats(id, tokens);

  await person.choose({ from: "d2", to: "b2" });
  await person.atPly(1);
  assert.match(await person.cell("c2").getAttribute("aria-label"), /white rook/);

  await person.play((await gameOf(person.address, id)).now.legal.find((move) => move.from === "e8" && move.kind === "move"));
  await person.choose({ from: "b8", to: "b9" });
  const dialog = person.page.getByRole("dialog", { name: "The pawn becomes" });
  assert.deepEqual(await dialog.getByRole("button").allInnerTexts(), ["Rook", "Bishop", "Knight", "Voidrider", "Cancel"]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await person.ply(), 2, "nothing was played");

  // The pawn is still selected.
  await person.play({ to: "b9", promotion: "N" });
  assert.match(await person.cell("b9").getAttribute("aria-label"), /white knight/);
});

scene("a game of Hadron on 5 × 5 against the random engine", async (stage) => {
  const person = await stage.person();
  const seats = { white: { kind: "me" }, black: { kind: "engine", engine: "random", ms: 10 } };
  const { id, tokens } = await post(person.address, "/api/games", { game: "hadron5", ...seats });
  await person.takeSeats(id, tokens);
  const over = person.page.locator("[data-status].over");
  const target = person.board().locator("[data-target]").first();
  for (;;) {
    await over.or(target).first().waitFor();
    if (await over.count()) break;
    const ply = await person.ply();
    await target.click();
    await person.page.waitForFunction((before) => Number(document.querySelector("svg.board").dataset.ply) > before, ply);
  }
  await person.seesResult();
  await assertShown(person, { w: "white stone", b: "black stone" });
});

scene("the rules stand beside the board, and an example can be played", async (stage) => {
  for (const [locale, button, heading, play] of [["en-US", "Rules", "The board", "Try it out"], ["it-IT", "Regole", "La scacchiera", "Prova"]]) {
    const person = await stage.person({ locale });
    const { page } = person;
    await person.startGame({ family: "murus", white: "me", black: "me" });
    await page.getByRole("button", { name: button, exact: true }).click();
    const rules = page.getByRole("dialog", { name: button });
    await rules.getByRole("heading", { name: heading }).waitFor();
    // White's distribution in the first example with a move.
    await rules.getByRole("link", { name: play }).nth(1).click();
    await page.waitForURL(/\/analyse\?/);
    await person.board().locator(".movable").first().waitFor();
  }
});

scene("a level below full strength is chosen, and plays", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", white: "me", black: "recruit" });
  await person.sees(person.page.locator('.plate[data-side="black"]'), "Recruit");
  await person.choose({ from: "B8", to: "B6" });
  await person.atPly(2);
});

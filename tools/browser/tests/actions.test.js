// What a person may do beside moving: undo, hint, flip, resign, new games, and the page's colours.

import assert from "node:assert/strict";
import { gameOf } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const ENGINE = { black: "random", blackMs: 100 };

scene("undo goes back to one's own last turn against an engine", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", ...ENGINE });
  assert.equal(await person.action("undo").isDisabled(), true, "nothing to take back yet");
  await person.choose({ from: "G4", to: "E6" });
  await person.atPly(2);
  await person.action("undo").click();
  await person.atPly(0);
  await person.sees(person.status(), "Your move (White)");
  await person.choose({ from: "G2", to: "E2" });
  await person.atPly(2);
  assert.equal((await gameOf(person.address, person.id)).moves[0].move, "G2,N");
});

scene("undo takes back one move of two people at one screen", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", white: "me", black: "me" });
  await person.play({ from: "B8", to: "B6" });
  await person.sees(person.status(), "Black to move");
  await person.play({ from: "H3", to: "F5" });
  await person.action("undo").click();
  await person.atPly(1);
  await person.sees(person.status(), "Black to move");
  await person.play({ from: "H2", to: "F2" });
});

scene("a hint is drawn as an arrow with its value and can be played", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", black: "me" });
  await person.action("hint").click();
  await person.board().locator(".arrow-body").waitFor();
  await person.sees(person.board().locator(".arrow-text"), /^\d+ %$/);
  const said = await person.page.locator("#polite").textContent();
  const [, hinted] = said.match(/^Hint: (\S+), White \d+ %$/);
  const { now } = await gameOf(person.address, person.id);
  await person.play(now.legal.find((move) => move.move === hinted));
  assert.equal(await person.board().locator(".arrow-body").count(), 0, "the arrow goes with the move");
});

scene("a hint that is asked for leaves the board alone, and is forgotten with a move", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", black: "me" });
  let answer = null;
  await person.page.route("**/hint", async (route) => {
    const { now } = await gameOf(person.address, person.id);
    await new Promise((resolve) => (answer = resolve));
    await route.fulfill({ json: { move: now.legal[0], report: { value: null } } });
  });
  await person.cell("G4").click();
  await person.action("hint").click();
  await person.sees(person.action("hint"), "Thinking …");
  assert.equal(await person.cell("G4").getAttribute("aria-selected"), "true");
  await person.cell("E6").click();
  await person.atPly(1);
  answer();
  await person.sees(person.action("hint"), "Hint");
  assert.equal(await person.board().locator(".arrow-body").count(), 0, "it came too late");
});

scene("flip turns the board, its coordinates and the plates, and play continues", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", black: "me" });
  const top = async (name) => (await person.cell(name).boundingBox()).y;
  const upper = () => person.page.locator(".plate").first().getAttribute("data-side");
  assert.ok((await top("A1")) < (await top("G1")));
  assert.equal(await upper(), "black");
  await person.action("flip").click();
  assert.ok((await top("A1")) > (await top("G1")));
  assert.equal(await upper(), "white");
  assert.equal((await person.contents())[0][0], "white tower");
  await person.play({ from: "G4", to: "E6" });
  assert.match(await person.cell("E6").getAttribute("aria-label"), /white wall/);
});

scene("resigning is asked about, ends the game, and a rematch swaps the colours", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "hadron", white: "me", ...ENGINE, name: "Ada" });
  await person.action("resign").click();
  await person.page.getByRole("button", { name: "Keep playing" }).click();
  assert.equal((await gameOf(person.address, person.id)).result, null);
  await person.action("resign").click();
  await person.action("resign-yes").click();
  const over = await person.seesResult();
  assert.equal(over.result.winner, "black");
  assert.equal(await person.board().locator("[data-target], .movable").count(), 0);

  const first = person.id;
  await person.action("rematch").click();
  await person.page.waitForURL((url) => url.pathname.startsWith("/game/") && !url.pathname.endsWith(first));
  await person.sees(person.status(), "Your move (Black)");
  const next = await gameOf(person.address, person.id);
  assert.equal(next.seats.black.name, "Ada");
  assert.equal(next.seats.white.engine, "random");
  assert.equal(await person.page.locator(".plate").first().getAttribute("data-side"), "white", "Black sits below");
});

scene("a rematch names no person after a side", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "hadron", white: "me", ...ENGINE, name: "" });
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.seesResult();
  await person.action("rematch").click();
  await person.sees(person.status(), "Your move (Black)");
  assert.equal((await gameOf(person.address, person.id)).seats.black.name, "Black");
});

scene("the form starts each game with the chosen colours, start and times", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", start: "loa:files", white: "alphabeta", whiteMs: 100, black: "me" });
  await person.sees(person.status(), "Your move (Black)");
  const game = await gameOf(person.address, person.id);
  assert.equal(game.start.board, ".bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb. w 0");
  assert.deepEqual([game.seats.white.engine, game.seats.white.ms], ["alphabeta", 100]);

  // The choices are remembered.
  await person.open("/?new");
  assert.equal(await person.page.locator('[name="family"]').inputValue(), "loa");
  assert.equal(await person.page.locator('[name="white"]').inputValue(), "alphabeta");
});

scene("a handicap is chosen by its name, shown, and passes to the other side in a rematch", async (stage) => {
  const person = await stage.person();
  await person.open("/?new");
  const starts = person.page.locator('[name="start"]');
  await person.page.locator('[name="family"]').selectOption("hadron");
  assert.equal(await starts.isVisible(), false, "this game has none");
  await person.startGame({ family: "voidrider", start: "voidrider:no-black-knight", white: "me", black: "recruit" });
  const heading = person.page.getByRole("heading", { level: 1 });
  await person.sees(heading, "Voidrider Chess · Red without a knight");
  const board = async () => (await gameOf(person.address, person.id)).start.board;
  assert.match(await board(), /^#v###v#\/r\.bkbnr\/.*\/RNBKBNR\/#V###V# w 0 DdUu 0$/);
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.seesResult();
  await person.action("rematch").click();
  await person.sees(heading, "Voidrider Chess · White without a knight");
  assert.match(await board(), /^#v###v#\/rnbkbnr\/.*\/R\.BKBNR\/#V###V# w 0 DdUu 0$/);
});

longScene("a button starts each of the four games at once", async (stage) => {
  const person = await stage.person();
  for (const game of ["murus", "hadron", "loa", "voidrider"]) {
    await person.open("/");
    await person.page.locator(`[data-quick="${game}"]`).click();
    await person.page.locator(`svg.board[data-game="${game}"]`).waitFor();
    await person.sees(person.status(), "Your move (White)");
  }
  await person.page.getByRole("link", { name: "Games", exact: true }).click();
  await person.page.getByRole("link", { name: /^Continue: / }).nth(3).waitFor();
});

scene("a button starts a game at the strength that was chosen last", async (stage) => {
  const person = await stage.person();
  const strength = () => person.page.getByLabel("Strength of Alesia");
  await person.open("/");
  await strength().selectOption({ label: "1. Recruit" });
  await person.page.locator('[data-quick="loa"]').click();
  await person.page.locator(".plate", { hasText: "Recruit" }).waitFor();
  await person.open("/");
  assert.equal(await strength().inputValue(), "recruit");
});

scene("a click on a wrong cell keeps the choice and says why", async (stage) => {
  const person = await stage.person();
  const legend = person.page.locator(".legend");
  await person.startGame({ family: "voidrider", white: "me", black: "me" });
  const chosen = () => person.cell("b3").getAttribute("aria-selected");
  await person.cell("d7").click();
  await person.sees(legend, "White to move: choose one of its pieces.");
  await person.cell("b3").click();
  await person.cell("e5").click();
  await person.sees(legend, "b3, white pawn: it cannot go to e5.");
  assert.equal(await chosen(), "true");
  await person.cell("d1").click();
  await person.sees(legend, "cannot go to d1");
  await person.cell("b3").click();
  assert.equal(await chosen(), "false", "a second click drops the choice");
  await person.startGame({ family: "hadron", rows: 3, columns: 3, white: "me", black: "me" });
  await person.play({ from: null, to: "B2" });
  await person.cell("B2").click();
  await person.sees(legend, "A stone cannot be placed on B2.");
});

scene("a piece can be dragged to its target", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", white: "me", black: "me" });
  await person.cell("B8").dragTo(person.cell("B7"));
  await person.sees(person.page.locator(".legend"), "B8, white stone: it cannot go to B7.");
  await person.cell("B8").dragTo(person.cell("B6"));
  await person.atPly(1);
});

scene("two engines play and are watched", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "hadron", rows: 4, columns: 4, white: "mcts", whiteMs: 100, black: "alphabeta", blackMs: 100 });
  await person.page.locator('[data-thought="white"]').waitFor();
  await person.page.locator('[data-thought="black"]').waitFor();
  await person.seesResult();
});

scene("light and dark are chosen by hand, and remembered", async (stage) => {
  const person = await stage.person({ colorScheme: "light" });
  await person.open("/");
  const ground = () => person.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await person.page.getByLabel("Colours").selectOption("dark");
  const dark = await ground();
  assert.notEqual(dark, light);
  await person.page.reload();
  await person.page.getByLabel("Colours").waitFor();
  await person.page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.equal(await ground(), dark);
  await person.page.getByLabel("Colours").selectOption("system");
  assert.equal(await ground(), light);
});

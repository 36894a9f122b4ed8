// Analysing: a record from a file, stepping, the value graph, the live engine, variations, the
// review.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MURUS } from "../support/games.js";
import { start } from "../support/programs.js";
import { firstEvent } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

/** The file of a match of two short games, and its lines as objects. */
async function matchFile(stage) {
  const engines = ["-engine", "name=Tree", "-engine", "name=Alpha", "option.engine=alphabeta", "-each", "nodes=200"];
  const match = start("alesia-lab", ["match", "-game", "murus", ...engines, "-rounds", "1", "-srand", "1", "-openings", "plies=4", "-jsonl"]);
  await match.ended;
  const lines = match.lines.filter((line) => line.startsWith("{"));
  const folder = mkdtempSync(join(tmpdir(), "alesia-browser-"));
  stage.cleanUp(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "games.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const records = lines.map((line) => JSON.parse(line));
  return { file, games: records.map((record) => [...record.opening, ...record.moves.map(({ move }) => move)]) };
}

const caption = (person) => person.page.locator(".graph-caption");

longScene("a record of a match is loaded from a file, stepped through and looked at by its graph", async (stage) => {
  const { file, games } = await matchFile(stage);
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse");
  await page.locator("#load-file").setInputFiles(file);
  await person.atPly(0);
  await person.sees(page.locator("h1"), "Tree – Alpha");

  // The arrow keys, wherever the focus is.
  await page.keyboard.press("ArrowRight");
  await person.atPly(1);
  await page.keyboard.press("ArrowRight");
  await person.atPly(2);
  await person.sees(page.locator(".analyse-state"), games[0][1]);
  await page.keyboard.press("End");
  await person.atPly(games[0].length);
  await page.keyboard.press("ArrowLeft");
  await person.atPly(games[0].length - 1);
  await page.keyboard.press("Home");
  await person.atPly(0);

  // The graph: a click goes to the ply below the pointer, and its words say the value.
  const slider = page.getByRole("slider", { name: "Value graph" });
  const box = await slider.boundingBox();
  await slider.click({ position: { x: box.width / 2, y: box.height / 2 } });
  await page.waitForFunction(() => Number(document.querySelector("svg.board").dataset.ply) > 4);
  const ply = await person.ply();
  assert.ok(Math.abs(ply - games[0].length / 2) <= 2, `ply ${ply} is in the middle`);
  assert.match(await slider.getAttribute("aria-valuetext"), new RegExp(`^Ply ${ply} · White \\d+ %`));
  await person.sees(caption(person), `Ply ${ply}`);

  // A move of the list, and the other game of the file.
  await page.locator(".line-moves .line-move").nth(2).click();
  await person.atPly(3);
  await page.getByRole("button", { name: "Next game" }).click();
  await person.sees(page.locator("h1"), "Alpha – Tree");
  assert.equal(await page.locator(".line-moves .line-move").count(), games[1].length);
});

scene("a piece can be dragged while the engine reports", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=murus");
  await page.getByRole("switch", { name: "Analyse" }).check();
  await page.locator(".live-top tbody td").first().waitFor();
  const middle = async (name) => {
    const { x, y, width, height } = await person.cell(name).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.mouse.move(...(await middle("G4")));
  await page.mouse.down();
  await page.mouse.move(...(await middle("F5")));
  const before = await page.locator(".live-top tbody td").first().textContent();
  await page.waitForFunction((old) => document.querySelector(".live-top tbody td").textContent !== old, before);
  await page.mouse.move(...(await middle("E6")), { steps: 3 });
  await page.mouse.up();
  await person.atPly(1);
});

scene("the link to the content keeps what was done", async (stage) => {
  const person = await stage.person();
  await person.open("/analyse?game=murus");
  await person.choose({ from: "G4", to: "E6" });
  await person.atPly(1);
  await person.page.locator("main > *").first().evaluate((view) => (view.dataset.same = "yes"));
  await person.page.locator(".skip").focus();
  await person.page.keyboard.press("Enter");
  assert.equal(await person.page.locator("main > *").first().getAttribute("data-same"), "yes");
  assert.equal(await person.page.evaluate(() => document.activeElement.id), "main");
});

scene("the live analysis draws the top moves, its line is walked by clicking, and it stops", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=murus&moves=G4,NE+A2,S&ply=2");
  await person.atPly(2);
  await page.getByRole("switch", { name: "Analyse" }).check();
  const arrows = person.board().locator(".arrow-body");
  await arrows.nth(2).waitFor();
  await person.sees(person.board().locator(".arrow-text"), /^\d+ %$/);
  const table = page.getByRole("table", { name: "Top moves" });
  const visits = () => table.locator("tbody tr").first().locator("td").first().textContent();
  const before = await visits();
  await page.waitForFunction((old) => document.querySelector(".live-top tbody td").textContent !== old, before);
  assert.match(await page.getByRole("meter", { name: "Value for White" }).getAttribute("aria-valuetext"), /^White \d+ %$/);

  // Goes two moves along the line; the engine continues there.
  await page.locator(".live-variation .line-move").nth(1).click();
  await person.atPly(4);
  await arrows.first().waitFor();
  await page.getByRole("switch", { name: "Analyse" }).uncheck();
  await arrows.first().waitFor({ state: "detached" });
  assert.equal(await page.locator(".live-body").isVisible(), false);
});

scene("a variation is played on the board, walked, kept in the address and deleted", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=loa&moves=B8-B6+H3-F5+F8-F5&ply=1");
  await person.atPly(1);
  await person.play({ from: "A7", to: "C7" });
  const variation = page.locator(".line-variation");
  await person.sees(variation, "A7-C7");
  await page.keyboard.press("ArrowLeft");
  await person.atPly(1);
  await page.locator(".line-moves > .line-move").nth(2).click();
  await person.atPly(3);
  await variation.locator(".line-move").click();
  await person.atPly(2);
  await page.waitForURL(/fork=1.*line=A7-C7/);
  await page.reload();
  await person.atPly(2);
  await person.sees(variation, "A7-C7");
  await variation.getByRole("button", { name: /^Delete the variation/ }).click();
  await variation.waitFor({ state: "detached" });
  await person.atPly(1);
});

scene("all variations come back with another language and after a reload, and can still be deleted", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=loa&moves=B8-B6+H3-F5+F8-F5&ply=1");
  await person.atPly(1);
  for (const to of ["C7", "B8"]) {
    await person.play({ from: "A7", to });
    await page.keyboard.press("ArrowLeft");
    await person.atPly(1);
  }
  const variations = page.locator(".line-variation");
  const bothThere = async () => {
    await person.atPly(1);
    await person.sees(variations, "A7-C7");
    await person.sees(variations, "A7-B8");
  };
  await bothThere();
  await page.getByLabel("Language").selectOption("it");
  await page.getByRole("heading", { name: "Mosse" }).waitFor();
  await bothThere();
  await page.reload();
  await bothThere();
  await page.getByLabel("Lingua").selectOption("en");
  await page.getByRole("heading", { name: "Moves" }).waitFor();
  await bothThere();
  await variations.first().getByRole("button", { name: /^Delete the variation/ }).click();
  await page.waitForFunction(() => document.querySelectorAll(".line-variation").length === 1);

  // A move that goes on from the game's end was added too.
  await page.keyboard.press("End");
  await person.atPly(3);
  await person.play({ from: "A7", to: "C7" });
  await person.atPly(4);
  await page.getByLabel("Language").selectOption("it");
  await person.atPly(4);
  await page.keyboard.press("Delete");
  await person.atPly(3);
});

scene("a reload inside a variation leaves all moves in their order", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=loa&moves=B8-B6+H3-F5&ply=1");
  await person.atPly(1);
  await person.play({ from: "A7", to: "C7" });
  await person.play({ from: "F8", to: "F6" });
  await page.keyboard.press("ArrowLeft");
  await person.atPly(2);
  await person.play({ from: "D8", to: "D6" });
  const moves = () => page.locator(".line-moves .line-move").allTextContents();
  const before = await moves();
  await page.waitForURL(/line=A7-C7\+D8-D6/);
  await page.reload();
  await person.atPly(3);
  assert.deepEqual(await moves(), before);
});

scene("the result of a game stays where it was, though a move was added and the page loaded again", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const record = {
    ...{ seed: 7, pair: 0, leg: 0, game: "loa", white: "Ada", black: "Bob", opening: [], moves: [{ move: "B8-B6", value: 0.6 }] },
    ...{ result: "1-0", cause: "reported", reason: "Black resigned" },
  };
  await person.open("/analyse");
  await page.locator("#load-text").fill(JSON.stringify(record));
  await page.locator(".load-paste button[type=submit]").click();
  await person.atPly(0);
  await page.keyboard.press("End");
  await person.atPly(1);
  await person.play({ from: "A7", to: "C7" });
  const slider = page.getByRole("slider", { name: "Value graph" });
  const value = () => slider.getAttribute("aria-valuetext");
  const after = await value();
  await page.waitForURL(/A7-C7/);
  await page.reload();
  await person.atPly(2);
  assert.equal(await value(), after);
  await page.keyboard.press("ArrowLeft");
  await person.atPly(1);
  assert.match(await value(), /^Ply 1 · White 100 %/);
});

longScene("the marks of a review stay with the moves that were reviewed", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const last = MURUS.length - 1;
  await person.open(`/analyse?game=murus&moves=${MURUS.slice(0, last - 1).join("+")}&ply=${last - 1}`);
  await person.atPly(last - 1);
  await person.play({ from: "G1", to: "E3" });
  await person.atPly(last);
  await page.getByLabel("Per position").selectOption("100");
  const begin = page.getByRole("button", { name: "Review the game" });
  await begin.click();
  const mark = page.locator(".graph-mark.blunder");
  await mark.first().waitFor();
  await begin.waitFor();
  const blunders = await mark.count();
  await page.keyboard.press("Delete");
  await person.atPly(last - 1);
  assert.equal(await mark.count(), blunders - 1);
  await person.play({ from: "G1", to: "E1" });
  await person.atPly(last);
  const same = async () => {
    assert.equal(await mark.count(), blunders - 1);
    assert.equal(await page.locator(".analyse-better").isVisible(), false);
  };
  await same();
  await page.waitForURL(/G1,N&/);
  await page.reload();
  await person.atPly(last);
  await same();
});

scene("the review of a game runs to its end and marks the blunder in it", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open(`/analyse?game=murus&moves=${MURUS.join("+")}`);
  await person.atPly(0);
  // The progress is kept as it comes, so that a short one is not missed.
  await page.evaluate(() => {
    const text = document.querySelector(".review-text");
    globalThis.progress = [];
    new MutationObserver(() => globalThis.progress.push(text.textContent)).observe(text, { childList: true });
  });
  await page.getByLabel("Per position").selectOption("100");
  const begin = page.getByRole("button", { name: "Review the game" });
  await begin.click();
  await page.waitForFunction(() => globalThis.progress.at(-1)?.startsWith("17 of 17 positions"));
  await begin.waitFor();
  assert.equal(await page.evaluate(() => history.state?.analysis?.plies?.length), 17, "it is kept at its end");
  const progress = await page.evaluate(() => globalThis.progress);
  assert.ok(progress.length > 4, `it came step by step: ${progress.join(" / ")}`);
  assert.match(progress[0], /^0 of 17 positions/);

  // White's last move overlooks that Black reaches the home row.
  const blunder = page.getByRole("button", { name: /^8\. White\s+G1,NE\s*, blunder$/ });
  assert.match(await blunder.textContent(), /\?\?/);
  await page.locator(".graph-mark.blunder").first().waitFor();
  await person.sees(page.getByRole("table", { name: "Mistakes by side" }).getByRole("row", { name: "Blunders" }), /[1-9]/);
  await page.getByRole("button", { name: "Next mistake" }).click();
  await page.waitForFunction(() => Number(document.querySelector("svg.board").dataset.ply) > 0);
  await blunder.click();
  await person.atPly(15);
  const note = page.locator(".analyse-better");
  await person.sees(note, "G1,NE ?? blunder, lost");
  await note.getByRole("button").click();
  await page.locator(".line-variation").waitFor();
  await person.atPly(15);
});

/** The next stream of a search says that it was stopped, as after a while without listeners. */
async function cutShort(page, kind, event, data) {
  const body = `event: ${event}\ndata: ${JSON.stringify({ ...data, stopped: true })}\n\n`;
  await page.route(`**/api/${kind}/*/events`, (route) => route.fulfill({ contentType: "text/event-stream", body }), { times: 1 });
}

/** A review that never ends: the same event again and again, with a blunder in the first move. */
async function endlessReview(page) {
  const ply = { value: 0.5, best: null, loss: 0, mark: null };
  const best = { move: "B8-H8", from: "B8", to: "H8", also: null };
  const data = { done: 2, total: 17, finished: false, stopped: false, plies: [{ ...ply, loss: 0.4, mark: "blunder", best }, ply] };
  const body = `retry: 100\nevent: review\ndata: ${JSON.stringify(data)}\n\n`;
  await page.route("**/api/reviews/*/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".graph-mark.blunder").waitFor();
}

longScene("what is found and played during a review is kept at once", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=loa&moves=B8-B6+H3-F5+F8-F5&ply=1");
  await person.atPly(1);
  await endlessReview(page);
  // The buttons stay meanwhile, or a press and its release would meet two.
  const [move, better] = [page.locator(".line-moves > .line-move").first(), page.locator(".analyse-better button")];
  const pressed = await Promise.all([move, better].map((button) => button.elementHandle()));
  await page.waitForFunction(() => history.state?.analysis?.plies?.length === 2);
  for (const button of pressed) assert.equal(await button.evaluate(({ isConnected }) => isConnected), true);
  // The address follows after a moment; whoever leaves before loses nothing.
  await person.play({ from: "A7", to: "C7" });
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await page.getByRole("heading", { name: "Games" }).waitFor();
  await page.goBack();
  await person.sees(page.locator(".line-variation"), "A7-C7");
  await page.keyboard.press("ArrowLeft");
  await person.play({ from: "A7", to: "B8" });
  await page.reload();
  await person.sees(page.locator(".line-variation"), "A7-B8");
  assert.equal(await page.locator(".graph-mark.blunder").count(), 1);
});

scene("a review that was cut short is not said to be done", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open(`/analyse?game=murus&moves=${MURUS.join("+")}`);
  await person.atPly(0);
  await cutShort(page, "reviews", "review", { done: 3, total: 17, finished: true, plies: [] });
  const begin = page.getByRole("button", { name: "Review the game" });
  await begin.click();
  const broken = page.locator(".review-broken");
  await person.sees(broken, "interrupted at 3 of 17 positions");
  await begin.click();
  await broken.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Cancel" }).click();
  // It is said of this game, not of the next.
  await cutShort(page, "reviews", "review", { done: 3, total: 17, finished: true, plies: [] });
  await begin.click();
  await broken.waitFor();
  await page.locator("details.load summary").click();
  await page.locator(".load-starts button").first().click();
  await broken.waitFor({ state: "hidden" });
});

longScene("a live analysis that was cut short begins again", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=murus");
  const report = { value: 0.5, depth: 1, nodes: 1, per_second: 1, proof: null, only: false };
  await cutShort(page, "analyses", "report", { report, best: null, top: [], pv: [], done: true });
  await page.getByRole("switch", { name: "Analyse" }).check();
  await page.locator(".live-top tbody td").first().waitFor();
  assert.equal(await page.getByRole("switch", { name: "Analyse" }).isChecked(), true);
  // No engine works on for a page that was left.
  const stop = page.waitForRequest(/\/api\/analyses\/\w+\/stop$/);
  await page.reload();
  const path = new URL((await stop).url()).pathname.replace(/stop$/, "events");
  while (!(await firstEvent(person.address, path)).stopped);
});

scene("text that cannot be read gets an error that says where, what and why", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse");
  stage.announce(/\/records 400/);
  stage.announce(/console: Failed to load resource.*400.*\/records$/);
  await page.getByLabel("Or paste moves").fill("G4,NE A2,XX");
  await page.getByLabel("Game", { exact: true }).selectOption("murus");
  await page.getByRole("button", { name: "Load" }).click();
  await person.sees(page.locator("#error-text"), /A2,XX.*expected/);
  await page.getByRole("button", { name: "Close the message" }).click();
  await page.getByLabel("Or paste moves").fill("G4,NE A2,S");
  await page.getByRole("button", { name: "Load" }).click();
  await person.atPly(0);
  assert.equal(await page.locator(".line-moves .line-move").count(), 2);
});

scene("a game that is being played is taken over to the analysis, and can be played with from there", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "voidrider", white: "me", black: "me" });
  await person.play({ from: "d3", to: "d4" });
  await person.action("analyse").click();
  await person.atPly(1);
  await person.sees(person.page.locator("h1"), "Voidrider Chess");
  await person.play({ from: "d7", to: "d6" });
  await person.sees(person.page.locator(".line-moves"), "d7-d6");
  await person.page.goBack();
  await person.atPly(1);
});

scene("a message is gone with the next game that is loaded", async (stage) => {
  const person = await stage.person();
  await person.open("/analyse");
  const message = person.page.locator("#error-text");
  await person.page.getByRole("button", { name: "Load", exact: true }).click();
  await person.sees(message, "paste moves");
  await person.page.getByRole("button", { name: "Murus Gallicus", exact: true }).click();
  await person.board().waitFor();
  assert.equal(await message.textContent(), "");
});

scene("an illegal move in a pasted text is named in the game that the others belong to", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse");
  stage.announce(/records 400|400.*records/);
  for (const [text, words] of [
    ["G4,NE A5,SE\nG3,N G3,N", "Line 2, Murus Gallicus, move 4: found `G3,N`, expected a legal move of Black such as"],
    ["b1-e1 f7-f6 e3-e4 e3-e4", "Line 1, Voidrider Chess, move 4: found `e3-e4`, expected a legal move of Red such as"],
    ['[Variant "voidrider"]\n\n1. b3-b4 b3-b4 *', "Line 3, Voidrider Chess, move 2, move: found `b3-b4`, expected a legal move of Red such as"],
    ["1. B8-B6 H3-F5 2. B8-B6", "Line 1, Lines of Action, move 3: found `B8-B6`, expected a legal move of White such as"],
  ]) {
    await page.locator("#load-text").fill(text);
    await page.locator(".load-paste button[type=submit]").click();
    await person.sees(page.locator("#error-text"), words);
  }
});

scene("the current move can be read under the pointer", async (stage) => {
  const person = await stage.person();
  await person.open("/analyse?game=loa&moves=B8-B6+H3-F5&ply=2");
  await person.atPly(2);
  const current = person.page.locator(".line-move[aria-current]").first();
  const colours = () => current.evaluate((button) => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]);
  const before = await colours();
  await current.hover();
  assert.deepEqual(await colours(), before);
});

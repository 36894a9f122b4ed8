// Teaching in a game against an engine: a move that loses much is marked, told in a sentence, and
// taken back at once.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { firstEvent, gameOf, post } from "../support/server.js";
import { scene } from "../support/stage.js";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const ME = { kind: "me" };
const ENGINE = { kind: "engine", engine: "random", ms: 10 };
/** In Hadron on 4 × 4 cells White wins by B4 here, and loses by A1. */
const CHOICE = { game: "hadron4", moves: ["B2", "C1", "D3", "A3"], white: ME, black: ENGINE };

async function opened(stage, options) {
  const person = await stage.person(options);
  const { id, tokens } = await post(person.address, "/api/games", CHOICE);
  await person.takeSeats(id, tokens);
  return { person, page: person.page, note: person.page.locator('[data-bar="teach"]') };
}

/** Plays a move and waits until the page can know what it has lost. */
async function judged({ person, page }, to) {
  const [asked] = await Promise.all([page.waitForResponse((answer) => answer.url().endsWith("/api/reviews")), person.choose({ to })]);
  const { id } = await asked.json();
  while (!(await firstEvent(person.address, `/api/reviews/${id}/events`)).finished) await new Promise((next) => setTimeout(next, 100));
  // A moment more than the event needs to arrive.
  await page.waitForTimeout(300);
}

scene("a move that loses much is marked in colour, told in a sentence and taken back at once", async (stage) => {
  const view = await opened(stage);
  const { person, page, note } = view;
  await page.getByRole("button", { name: "Teacher" }).click();
  await person.choose({ to: "A1" });
  await person.sees(note, "A1 ?? blunder: your value falls from 100 % to 0 %.");
  await person.sees(page.locator("#polite"), "A1 ?? blunder");
  const marked = page.locator(".moves .move.blunder");
  await person.sees(marked, "A1??");
  assert.equal(await marked.getAttribute("title"), "blunder, lost 100 %");
  await person.atPly(6);
  await person.action("teach-undo").click();
  await person.atPly(4);
  await note.waitFor({ state: "hidden" });
  assert.equal(await marked.count(), 0);
  assert.equal((await gameOf(person.address, person.id)).moves.length, 4);

  // A good move is not talked about; the choice is remembered.
  await page.reload();
  await person.board().waitFor();
  assert.equal(await person.action("teach").getAttribute("aria-pressed"), "true");
  await judged(view, "B4");
  assert.equal(await note.isVisible(), false);
  assert.equal(await page.locator(".moves .blunder").count(), 0);
});

scene("a blunder that ends the game can be taken back too", async (stage) => {
  const view = await opened(stage);
  const { person, page, note } = view;
  await page.getByRole("button", { name: "Teacher" }).click();
  await person.choose({ to: "A1" });
  await note.waitFor();
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.seesResult();
  await person.action("teach-undo").click();
  await person.atPly(4);
  await person.sees(person.status(), "Your move (White)");
  await person.play({ to: "B4" });
});

scene("nothing is judged where teaching is off, nor in a game of two people", async (stage) => {
  const { person, page } = await opened(stage);
  let reviews = 0;
  page.on("request", (request) => (reviews += request.url().endsWith("/api/reviews")));
  await person.choose({ to: "A1" });
  await person.atPly(6);
  assert.equal(reviews, 0);
  await page.evaluate(() => localStorage.setItem("alesia-teach", "on"));
  const { id, tokens } = await post(person.address, "/api/games", { ...CHOICE, black: ME });
  await person.takeSeats(id, tokens);
  await person.play({ to: "A1" });
  assert.equal(reviews, 0);
  assert.equal(await person.action("teach").isVisible(), false);
});

scene("the sentence stands below the board on phone and desk, light and dark, in Italian too", async (stage) => {
  for (const [width, colorScheme] of [[360, "dark"], [800, "light"], [1366, "dark"], [1920, "light"]]) {
    const { person, page, note } = await opened(stage, { locale: "it-IT", colorScheme, bypassCSP: true, viewport: { width, height: 768 } });
    await page.addScriptTag({ path: AXE });
    await page.getByRole("button", { name: "Maestro" }).click();
    const place = () => person.board().evaluate((board) => [board.getBoundingClientRect().top + scrollY, board.clientWidth]);
    const before = await place();
    await person.choose({ to: "A1" });
    await person.sees(note, "A1 ?? errore grave: il tuo valore scende da 100 % a 0 %.");
    assert.deepEqual(await place(), before, "the board stays where it is");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide at ${width}`);
    const box = await note.boundingBox();
    assert.ok(box.y + box.height <= 768, `at ${width} it ends at ${box.y + box.height}`);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`), [], `${width} px`);
  }
});

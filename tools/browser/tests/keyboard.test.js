// The keyboard alone, and the texts for screen readers: the board is a grid of named cells.

import assert from "node:assert/strict";
import { gameOf } from "../support/server.js";
import { scene } from "../support/stage.js";

/** Moves the focus on the board to a cell with the arrow keys, as the labels say where it is. */
async function walkTo(person, name) {
  const { keyboard } = person.page;
  const place = (cell) => [cell.charCodeAt(0), Number(cell.slice(1))];
  const [row, column] = place(name);
  for (;;) {
    const at = await person.page.evaluate(() => document.activeElement.dataset.cell);
    const [atRow, atColumn] = place(at);
    if (at === name) return;
    const key = atRow !== row ? (atRow < row ? "ArrowDown" : "ArrowUp") : atColumn < column ? "ArrowRight" : "ArrowLeft";
    await keyboard.press(key);
  }
}

/** Tab until an element has the focus that says yes to `found`. */
async function tabTo(person, found) {
  for (let presses = 0; presses < 60; presses++) {
    await person.page.keyboard.press("Tab");
    if (await person.page.evaluate(found)) return;
  }
  assert.fail("60 tab stops lead nowhere");
}

const onBoard = () => Boolean(document.activeElement.dataset.cell);

scene("the keyboard starts and plays a game of Hadron on 5 × 5", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/?new");
  const focused = (name) => page.waitForFunction((wanted) => document.activeElement.name === wanted, name);
  // The form's first field has the focus; a select takes the first letters of what is wanted.
  await focused("family");
  for (const [name, keys] of [["family", "Had"], ["rows", "5"], ["columns", "5"], ["white", "Me"], ["black", "Me"], ["minutes", "no"]]) {
    await focused(name);
    await page.keyboard.type(keys);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.waitForURL("**/game/*");
  await person.board().waitFor();
  await tabTo(person, onBoard);

  const over = page.locator("[data-status].over");
  const target = person.board().locator("[data-target]").first();
  for (let ply = 0; ; ply++) {
    await over.or(target).first().waitFor();
    if (await over.count()) break;
    const name = await target.getAttribute("data-cell");
    await walkTo(person, name);
    await page.keyboard.press(ply % 2 ? "Enter" : "Space");
    await person.atPly(ply + 1);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), name, "the focus stays on the cell");
  }
  const game = await person.seesResult();
  assert.equal(game.game, "hadron5");
});

scene("the keyboard selects, deselects and moves in Murus Gallicus, and the labels say so", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.startGame({ family: "murus", white: "me", black: "me" });
  const label = (name) => person.cell(name).getAttribute("aria-label");
  assert.equal(await label("G4"), "G4, white tower, can move");
  assert.equal(await label("A4"), "A4, black tower");
  assert.equal(await label("D4"), "D4, empty");

  await tabTo(person, onBoard);
  await walkTo(person, "G4");
  await page.keyboard.press("Enter");
  assert.equal(await label("G4"), "G4, white tower, selected");
  assert.equal(await label("F5"), "F5, empty, distribute here");
  await page.keyboard.press("Escape");
  assert.equal(await label("F5"), "F5, empty");
  await page.keyboard.press("Enter");
  await walkTo(person, "E6");
  await page.keyboard.press("Enter");
  await person.atPly(1);
  assert.equal((await gameOf(person.address, person.id)).moves[0].move, "G4,NE");
  assert.equal(await label("E6"), "E6, white wall, last move");
  assert.equal(await label("G4"), "G4, empty, last move");
  assert.equal(await label("A4"), "A4, black tower, can move");
  await person.sees(page.locator("#polite"), "White: G4,NE.");
});

scene("the arrow keys step through the moves outside of the board", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", white: "me", black: "me" });
  await person.play({ from: "B8", to: "B6" });
  await person.play({ from: "H3", to: "F5" });
  await person.page.locator("ol.moves").focus();
  await person.page.keyboard.press("ArrowLeft");
  await person.atPly(1);
  await person.sees(person.status(), "looking back at ply 1");
  await person.page.keyboard.press("Home");
  await person.atPly(0);
  await person.page.keyboard.press("End");
  await person.atPly(2);
  await person.sees(person.status(), "White to move");
});

scene("the accessibility tree has a grid of rows and named cells", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "hadron", rows: 5, columns: 5, white: "me", black: "me" });
  const tree = () => person.page.locator("main").ariaSnapshot();
  const rows = await person.page.getByRole("grid", { name: "Hadron" }).getByRole("row").all();
  assert.equal(rows.length, 5);
  assert.equal(await rows[0].getByRole("gridcell").count(), 5);
  assert.match(await tree(), /- gridcell "A1, empty, place a stone here"/);
  await person.page.getByRole("gridcell", { name: "C3, empty, place a stone here" }).click();
  await person.atPly(1);
  assert.match(await tree(), /- gridcell "C3, white stone, last move"/);
  assert.match(await tree(), /- gridcell "C4, empty"/);
});

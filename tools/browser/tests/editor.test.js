// The board editor: pieces are placed and taken away, and the position is played or analysed.

import assert from "node:assert/strict";
import { gameOf } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const boardText = (person) => person.page.locator(".editor-rest input").inputValue();
const choose = (person, letter) => person.page.locator(`[data-letter="${letter}"]`).click();

/** Puts pieces on an emptied board: {"W": ["D4"]}. */
async function setUp(person, pieces) {
  await person.action("clear").click();
  for (const [letter, cells] of Object.entries(pieces)) {
    await choose(person, letter);
    for (const cell of cells) await person.cell(cell).click();
  }
}

longScene("a position is put together, on a phone too, and played from", async (stage) => {
  for (const [locale, width] of [["en-GB", 1366], ["it-IT", 360]]) {
    const person = await stage.person({ locale, viewport: { width, height: 740 } });
    const { page } = person;
    await person.open("/analyse?edit&game=murus");
    await person.board().waitFor();
    await setUp(person, { W: ["D4", "G1", "G2"], b: ["C4"], B: ["A8"] });
    // A second click takes a piece away.
    await choose(person, "W");
    await person.cell("G2").click();
    await page.locator('.editor [name="side"]').selectOption("black");
    const board = ".......B/......../...b..../...W..../......../......../W....... b 0";
    assert.equal(await boardText(person), board);
    // It comes back with another language.
    await page.evaluate(() => document.querySelector("#settings").classList.add("open"));
    await page.locator("#language").selectOption(locale === "it-IT" ? "en" : "it");
    await person.cell("D4").waitFor();
    assert.equal(await boardText(person), board);
    await person.action("here").click();
    await page.locator(".origin .mini").waitFor();
    await page.locator("#new-game button[type=submit]").click();
    await page.waitForURL("**/game/*");
    await person.board().waitFor();
    const { start, seats } = await gameOf(person.address, person.id);
    assert.equal(start.board, board);
    assert.equal(seats.black.kind, "person");
  }
});

scene("what is no position is said to be none, and keys place pieces", async (stage) => {
  const person = await stage.person({ locale: "it-IT" });
  const { page } = person;
  await person.open("/analyse?game=voidrider&moves=b3-a3&ply=1");
  await person.action("edit").click();
  await choose(person, ".");
  stage.announce(/positions 400/);
  stage.announce(/console: Failed to load resource.*400.*positions$/);
  await person.cell("d2").click();
  await person.sees(page.locator(".edit-problem"), "Scacchiera, re (il Bianco): trovato 0, atteso 1.");
  assert.equal(await person.action("here").isVisible(), false);
  await choose(person, "K");
  await person.cell("d2").focus();
  await page.keyboard.press("Enter");
  await person.action("here").waitFor();
  // The rook that is gone castles no more.
  assert.match(await boardText(person), / DdUu 0$/);
  await choose(person, ".");
  await person.cell("g2").click();
  await page.waitForFunction(() => / Ddu 0$/.test(document.querySelector(".editor-rest input").value));
  await person.action("here").waitFor();
  await person.action("analyse").click();
  await page.locator(".analyse svg.board").waitFor();
  assert.match(await person.cell("g2").getAttribute("aria-label"), /libera/);
});

scene("the stones of Hadron are its plies, and a variant has its own pieces", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?edit&game=hadron5");
  await person.board().waitFor();
  await setUp(person, { w: ["A1", "C3"], b: ["E5"] });
  assert.equal(await boardText(person), "w..../...../..w../...../....b w 3");
  await page.locator('.editor [name="game"]').selectOption("variant:amazon");
  await choose(person, "A");
  await person.cell("e4").click();
  assert.match(await boardText(person), /\/\.\.\.\.A\.\.\.\/.* w KQkq - 0 1$/);
  await person.action("here").waitFor();
});

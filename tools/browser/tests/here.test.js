// A new game from a position: of a game, of the rules, of an analysis.

import assert from "node:assert/strict";
import { MURUS } from "../support/games.js";
import { gameOf, post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const TWO = { white: { kind: "me" }, black: { kind: "me" } };
const HERE = { "en-US": "Play from here", "it-IT": "Gioca da qui" };

/** Starts the game that the form offers, and returns it. */
async function started(person) {
  const { page } = person;
  await page.locator(".origin .mini").waitFor();
  await page.locator("#new-game button[type=submit]").click();
  await page.waitForURL("**/game/*");
  await person.board().waitFor();
  return gameOf(person.address, person.id);
}

longScene("from a position of a game one plays on against a level, with the side that is to move", async (stage) => {
  for (const [locale, width] of [["en-US", 1280], ["it-IT", 360]]) {
    const person = await stage.person({ locale, viewport: { width, height: 740 } });
    const { page } = person;
    const { id, tokens } = await post(person.address, "/api/games", { game: "murus", moves: MURUS.slice(0, -1), ...TWO });
    await person.takeSeats(id, tokens);
    assert.equal(await person.action("here").isVisible(), false, "nobody leaves the position that they play");
    await person.play({ from: "E7", to: "F7" });
    await person.atPly(MURUS.length);
    assert.equal(await person.action("here").isVisible(), false, "the rules have ended the game here");
    for (let back = 0; back < 3; back++) await page.locator(`[data-step="back"]`).click();
    await person.atPly(MURUS.length - 3);
    await person.sees(person.action("here"), HERE[locale]);
    await person.action("here").click();
    await person.sees(page.locator(".origin"), `Murus Gallicus · ${locale === "it-IT" ? "Semimossa" : "Ply"} ${MURUS.length - 3}`);
    const { seats, moves } = await started(person);
    assert.deepEqual(moves.slice(0, MURUS.length - 3).map(({ move }) => move), MURUS.slice(0, -3));
    assert.equal(seats.black.kind, "person", "Black is to move");
    assert.equal(seats.white.engine, "recruit");
  }
});

scene("an example of the rules is played against a person or an engine", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id, tokens } = await post(person.address, "/api/games", { game: "voidrider", ...TWO });
  await person.takeSeats(id, tokens);
  await person.action("guide").click();
  const link = page.getByRole("dialog").getByRole("link", { name: "Play from here" }).nth(3);
  await link.waitFor();
  const asked = new URL(await link.getAttribute("href"), person.address).searchParams.get("board");
  await link.click();
  await page.locator(".origin .mini").waitFor();
  await page.locator('[name="black"]').selectOption("me");
  const { start, seats } = await started(person);
  assert.equal(start.board, asked);
  assert.equal(seats.black.kind, "person");
});

scene("an analysis is played on from what it shows; an end can only be looked at", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open(`/analyse?game=hadron5&moves=C3+D4&ply=2`);
  await person.play({ to: "C4" });
  await person.action("here").click();
  const { game, moves } = await started(person);
  assert.deepEqual([game, moves[2].move], ["hadron5", "C4"]);

  await person.open(`/?new&game=murus&moves=${MURUS.join("+")}`);
  await person.sees(page.locator(".origin"), "The game is over in this position.");
  assert.equal(await page.locator("#new-game button[type=submit]").isDisabled(), true);
  await page.locator(".origin a").click();
  await page.locator('#new-game [name="family"]').waitFor();
});

// A clock for two people: time for the game, seconds that each move adds, and a flag that falls.

import assert from "node:assert/strict";
import { gameOf, post } from "../support/server.js";
import { scene } from "../support/stage.js";

const ME = { kind: "me" };

/** The time that the plate of a side shows. */
const time = (person, side) => person.page.locator(`.plate[data-side="${side}"] .clock-total`);

scene("the form gives two people a clock with an increment, and no clock beside an engine", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/?new");
  const minutes = page.locator('[name="minutes"]');
  assert.equal(await minutes.isVisible(), false, "an engine plays");
  await person.startGame({ family: "murus", white: "me", black: "me", minutes: 3, seconds: 5 });
  await person.sees(time(person, "black"), "3:00");
  await person.sees(time(person, "white"), "2:5");
  assert.equal(await page.locator('.plate[data-side="white"] .clock').getAttribute("aria-label"), "Time left for White");
  await person.play({ from: "G4", to: "E6" });
  const { clock } = await gameOf(person.address, person.id);
  assert.deepEqual(clock.bank, { base: 180_000, increment: 5000 });
  assert.ok(clock.left.white > 175_000 && clock.left.white < 185_000 && clock.left.black === 180_000);
  await person.sees(time(person, "black"), "2:5");

  // The rematch is played with the same clock.
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.seesResult();
  const first = person.id;
  await person.action("rematch").click();
  await page.waitForURL((url) => url.pathname.startsWith("/game/") && !url.pathname.endsWith(first));
  await person.board().waitFor();
  assert.deepEqual((await gameOf(person.address, person.id)).clock.bank, clock.bank);
});

scene("a flag that falls loses, which is said in words on both pages, in Italian too", async (stage) => {
  const [ada, bob] = [await stage.person({ viewport: { width: 360, height: 740 } }), await stage.person({ locale: "it-IT", colorScheme: "dark" })];
  const clock = { base: 12_000, increment: 0 };
  const { id, tokens } = await post(ada.address, "/api/games", { game: "voidrider", white: ME, black: { kind: "open" }, clock });
  const seat = await post(ada.address, `/api/games/${id}/join`, { name: "Bob" });
  await ada.takeSeats(id, tokens);
  await bob.takeSeats(id, { [seat.side]: seat.token });
  await ada.sees(time(ada, "white"), /^0:0\d\.\d$/);
  await bob.sees(time(bob, "white"), /^0:0\d,\d$/);
  await ada.page.locator('[data-verdict="lost"]').waitFor();
  await ada.sees(ada.status(), "Red wins: White ran out of time");
  await bob.page.locator('[data-verdict="won"]').waitFor();
  await bob.sees(bob.status(), "Vince il Rosso: il Bianco ha esaurito il tempo");
  const wide = await ada.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
});

scene("an impossible clock is refused with a sentence", async (stage) => {
  const { address } = await stage.person();
  const asked = (clock, black = ME) => post(address, "/api/games", { game: "loa", white: ME, black, clock });
  await assert.rejects(asked({ base: 9, increment: 0 }), /400 clock, base: found 9, expected 1000 to 10800000 milliseconds/);
  await assert.rejects(asked({ base: 60_000, increment: 0 }, { kind: "engine", engine: "mcts", ms: 100 }), /400 clock: found an engine, expected two people/);
});

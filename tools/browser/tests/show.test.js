// The view for a projector: it follows the games by itself, and can be read from afar.

import assert from "node:assert/strict";
import { LOA } from "../support/games.js";
import { gameOf, post } from "../support/server.js";
import { scene } from "../support/stage.js";

const TWO = { white: { kind: "me", name: "Vercingetorige" }, black: { kind: "me", name: "Giulio Cesare" } };

/** A game of two people after these moves; `end` resigns it. */
async function game(person, moves, end = false) {
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", moves, ...TWO });
  if (end) await post(person.address, `/api/games/${id}/resign`, { token: tokens.white });
  return { id, tokens };
}

/** The list of games is what `lobby()` says, and is asked for again and again. */
const list = (page, lobby) =>
  page.route("**/api/lobby/events", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: `retry: 100\nevent: lobby\ndata: ${JSON.stringify(lobby())}\n\n` }),
  );

const entry = (id, result = null) => ({ id, game: "loa", plies: 4, phase: result ? "over" : "playing", result });

/** The game on the stage. */
const shown = (person, id) => person.page.locator(`.show-game[data-game-id="${id}"]`).waitFor();

scene("a projector shows the running game without header, large, and follows to the next", async (stage) => {
  const person = await stage.person({ viewport: { width: 1920, height: 1080 } });
  const { page } = person;
  const [first, second] = [await game(person, LOA.slice(0, 4)), await game(person, LOA.slice(0, 2))];
  let games = [entry(first.id)];
  await list(page, () => ({ games, standings: false }));
  await page.clock.install();
  await person.open("/show");
  await shown(person, first.id);
  assert.equal(await page.locator("body > header").isVisible(), false);
  const sizeOf = (what) => page.locator(what).first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  for (const [what, least] of [[".plate-name", 40], [".clock-total", 64], [".show-status", 34], [".show h1", 34]]) {
    assert.ok((await sizeOf(what)) >= least, `${what}: ${await sizeOf(what)} px`);
  }
  const { scrollHeight, scrollWidth } = await page.evaluate(() => ({ scrollHeight: document.documentElement.scrollHeight, scrollWidth: document.documentElement.scrollWidth }));
  assert.ok(scrollHeight <= 1080 && scrollWidth <= 1920, `all is in view: ${scrollWidth} × ${scrollHeight}`);
  assert.ok((await person.board().boundingBox()).height >= 850);

  // Its moves come by themselves.
  const { version } = await gameOf(person.address, first.id);
  await post(person.address, `/api/games/${first.id}/move`, { token: first.tokens.white, ply: 4, version, move: LOA[4] });
  await person.atPly(5);
  await post(person.address, `/api/games/${first.id}/resign`, { token: first.tokens.white });
  await person.sees(page.locator(".show-status.over"), "White wins: Black resigned");
  games = [entry(second.id), entry(first.id, "White (Black resigned)")];
  await page.waitForResponse("**/api/lobby/events");
  await page.waitForResponse("**/api/lobby/events");
  await shown(person, first.id);
  await page.clock.fastForward(9000);
  await shown(person, second.id);
});

scene("while nothing runs the last game is replayed, in turn with the standings", async (stage) => {
  const person = await stage.person({ viewport: { width: 1920, height: 1080 }, locale: "it-IT" });
  const { page } = person;
  const { id } = await game(person, LOA.slice(0, 4), true);
  const rows = [{ rank: 1, name: "Ada", points: 1, played: 1, won: 1, drawn: 0, lost: 0, home: 1, away: 0, late: 0, illegal: 0, crashed: 0 }];
  const cup = { title: "Coppa", game: "loa", played: 1, of: 2, groups: [{ number: 1, rows }], games: [] };
  await page.route("**/api/standings/events", (route) => route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\nevent: standings\ndata: ${JSON.stringify(cup)}\n\n` }));
  await list(page, () => ({ games: [entry(id, "Black (White resigned)")], standings: true }));
  await page.clock.install();
  await person.open("/show");
  await person.sees(page.locator(".show .standings"), "Coppa");
  await page.clock.fastForward(21_000);
  await shown(person, id);
  await person.sees(page.locator(".show h1"), "l’ultima partita");
  await person.atPly(4);
  await page.clock.fastForward(4500);
  await person.atPly(0);
  await page.clock.runFor(2500);
  assert.ok((await person.ply()) >= 2);
});

scene("a projector without games says that the next one will come, and the header is back elsewhere", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await list(page, () => ({ games: [], standings: false }));
  await person.open("/");
  await page.getByRole("link", { name: "Projector" }).click();
  await person.sees(page.locator(".show-note"), "The next one is shown here");
  await page.goBack();
  await page.locator("body > header").waitFor();
});

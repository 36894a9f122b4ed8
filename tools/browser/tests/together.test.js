// Two people on two browsers, reloads in mid-game, stale actions, and a server that goes away.

import assert from "node:assert/strict";
import { startBoard } from "../support/programs.js";
import { gameOf, post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

/** A second tab of a person that gets no news of their game. */
async function deafTab(stage, person) {
  const other = await stage.tab(person);
  await other.page.route("**/events", async (route) => {
    const game = await gameOf(person.address, person.id);
    await route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\nevent: game\ndata: ${JSON.stringify(game)}\n\n` });
  });
  await other.page.goto(person.page.url());
  await other.board().waitFor();
  return other;
}

/** Two people who have met by the link of a new game; White is to move. */
async function meet(stage, family) {
  const [ada, bob] = [await stage.person(), await stage.person()];
  await ada.startGame({ family, white: "me", black: "open", name: "Ada" });
  await ada.sees(ada.status(), "Waiting for the other player");
  const link = await ada.page.getByRole("textbox", { name: "Link to this game" }).inputValue();
  await bob.page.goto(link);
  await bob.page.locator("[data-join]").click();
  await ada.sees(ada.status(), "Your move (White)");
  await bob.sees(bob.status(), "White to move");
  return [ada, bob];
}

scene("two browsers meet through the lobby and move in turn", async (stage) => {
  const [ada, bob] = [await stage.person(), await stage.person()];
  await bob.open("/");
  await ada.startGame({ family: "loa", white: "me", black: "open", name: "Ada" });
  const card = bob.page.locator(`[data-game-id="${ada.id}"]`);
  await bob.sees(card, "Waiting for a player");
  await bob.sees(card, "Ada");
  await card.getByRole("button", { name: "Join as Black" }).click();
  await bob.board().waitFor();
  assert.equal(await bob.id, ada.id);

  await ada.play({ from: "B8", to: "B6" });
  await bob.atPly(1);
  await bob.sees(bob.status(), "Your move (Black)");
  await bob.play({ from: "H3", to: "F5" });
  await ada.atPly(2);
  await ada.sees(ada.status(), "Your move (White)");
  assert.equal(await bob.board().locator(".movable").count(), 0, "not Black's turn");
});

scene("a card of the lobby is clicked though a move comes between press and release", async (stage) => {
  const person = await stage.person();
  const me = { kind: "me" };
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", white: me, black: me });
  await person.open("/");
  const card = person.page.locator(`[data-game-id="${id}"]`);
  await card.locator('[data-action="open"]').hover();
  await person.page.mouse.down();
  await post(person.address, `/api/games/${id}/move`, { token: tokens.white, ply: 0, move: "B8-B6" });
  await person.sees(card, "Black to move");
  await person.page.mouse.up();
  await person.atPly(1);
});

scene("they meet by a link, one asks to take a move back and the other agrees", async (stage) => {
  const [ada, bob] = await meet(stage, "murus");
  await ada.play({ from: "G4", to: "E6" });
  await bob.atPly(1);
  await ada.action("undo").click();
  await ada.sees(ada.page.locator('[data-bar="undo"]'), "The other player must agree");
  await bob.action("agree").click();
  await Promise.all([ada.atPly(0), bob.atPly(0)]);
  await ada.sees(ada.status(), "Your move (White)");
  await ada.play({ from: "G3", to: "E3" });
  await bob.atPly(1);

  // A move declines.
  await ada.action("undo").click();
  await bob.action("agree").waitFor();
  await bob.play({ from: "A1", to: "C1" });
  await bob.action("agree").waitFor({ state: "detached" });
  await ada.atPly(2);
});

scene("a game without an opponent is cancelled, and its link leads nowhere", async (stage) => {
  const [ada, bob] = [await stage.person(), await stage.person()];
  await ada.startGame({ family: "loa", white: "me", black: "open" });
  await bob.page.goto(ada.page.url());
  await bob.sees(bob.status(), "Waiting for the players");
  assert.equal(await ada.action("resign").isVisible(), false);
  await ada.action("cancel").click();
  await ada.action("cancel-yes").click();
  for (const person of [ada, bob]) await person.page.getByRole("heading", { name: "Game not found" }).waitFor();
  assert.equal(await bob.page.getByRole("textbox").count(), 0);
});

scene("cancelling while somebody joins does not resign", async (stage) => {
  const ada = await stage.person();
  await ada.startGame({ family: "loa", white: "me", black: "open" });
  const late = await deafTab(stage, ada);
  for (const tab of [ada, late]) await tab.action("cancel").click();
  await post(ada.address, `/api/games/${ada.id}/join`, {});
  await ada.action("cancel-yes").waitFor({ state: "detached" });
  await ada.sees(ada.status(), "Your move (White)");
  stage.announce(/\/resign 409/);
  stage.announce(/console: Failed to load resource.*409.*\/resign$/);
  await late.action("cancel-yes").click();
  await late.sees(late.page.locator("#error-text"), "The game has begun.");
  assert.equal((await gameOf(ada.address, ada.id)).result, null);
});

scene("who opens a game for two others gets its link", async (stage) => {
  const [ada, bob] = [await stage.person(), await stage.person()];
  await ada.startGame({ family: "loa", white: "open", black: "open" });
  const link = ada.page.locator('[data-bar="link"]');
  await ada.sees(link, ":");
  await ada.sees(ada.page.locator('[data-bar="join"]'), "Both seats are open.");
  await bob.page.goto(ada.page.url());
  await bob.page.locator('[data-join="white"]').click();
  await bob.sees(bob.page.locator('[data-bar="link"]'), ":");
  await ada.sees(ada.page.locator('[data-bar="join"]'), "A seat is open.");
  await link.waitFor({ state: "detached" });
});

scene("who may not see a game reads that, not that there is none", async (stage) => {
  const person = await stage.person();
  stage.announce(/(\/events 403|403.*\/events$)/);
  const refusal = { status: 403, contentType: "application/json", body: JSON.stringify({ error: "open the address that the program printed, with its token" }) };
  await person.page.route("**/api/games/*/events", (route) => route.fulfill(refusal));
  await person.open("/game/any");
  await person.page.getByRole("heading", { name: "You cannot see this game" }).waitFor();
  await person.sees(person.page.locator(".missing"), "with its token.");
});

scene("a spectator has no seat to play again from", async (stage) => {
  const [ada, eve] = [await stage.person(), await stage.person()];
  await ada.startGame({ family: "loa", white: "me", black: "me" });
  await eve.page.goto(ada.page.url());
  await eve.sees(eve.status(), "White to move");
  await ada.action("resign").click();
  await ada.action("resign-yes").click();
  await eve.seesResult();
  await ada.action("again").waitFor();
  for (const name of ["again", "rematch"]) assert.equal(await eve.action(name).isVisible(), false, name);
});

scene("an address that names no game says so", async (stage) => {
  const person = await stage.person();
  stage.announce(/(\/events 4\d\d|4\d\d.*\/events$)/);
  await person.open("/game/%FF");
  await person.page.getByRole("heading", { name: "Game not found" }).waitFor();
});

longScene("a reload in mid-game keeps seat, moves and clock, and play continues", async (stage) => {
  const [ada, bob] = await meet(stage, "hadron");
  await ada.play({ to: "E5" });
  await bob.play({ to: "A1" });
  const clock = async () => (await gameOf(ada.address, ada.id)).clock;
  const before = await clock();
  await ada.page.reload();
  await ada.atPly(2);
  await ada.sees(ada.status(), "Your move (White)");
  assert.deepEqual(await ada.page.locator("ol.moves .move").allTextContents(), ["E5", "A1"]);
  const now = await clock();
  assert.deepEqual(now.used, before.used);
  assert.ok(now.elapsed >= before.elapsed, "the clock continued");
  const shown = await ada.page.locator('[data-side="white"] .clock-total').textContent();
  const seconds = shown.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  assert.ok(seconds >= Math.floor((now.used.white + now.elapsed) / 1000) - 1, `the clock shows ${shown}`);
  await ada.play({ to: "I9" });
  await bob.atPly(3);
  await bob.page.reload();
  await bob.atPly(3);
  await bob.play({ to: "I1" });
  await ada.atPly(4);
});

scene("an action that comes too late gets the server's message and changes nothing", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "hadron", rows: 5, columns: 5, white: "me", black: "me" });
  // It stays at the old position.
  const other = await deafTab(stage, person);
  await person.play({ to: "C3" });

  stage.announce(/\/move 409/);
  stage.announce(/console: Failed to load resource.*409.*\/move$/);
  await other.choose({ to: "A1" });
  await other.sees(other.page.locator("#error-text"), "The game has continued: this was for move 1, it is move 2 now.");
  assert.equal(await other.ply(), 0);
  const game = await gameOf(person.address, person.id);
  assert.deepEqual(game.moves.map((move) => move.move), ["C3"]);
  await person.play({ to: "A1" });
});

scene("an illegal move is refused by the server, with its reason", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", black: "me" });
  stage.announce(/\/move 422/);
  stage.announce(/console: Failed to load resource.*422.*\/move$/);
  // What the page itself would never send.
  await person.page.route("**/move", (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), move: "A1,S" }) }),
  );
  await person.choose({ from: "G4", to: "E4" });
  await person.sees(person.page.locator("#error-text"), "A1,S");
  assert.equal(await person.ply(), 0);
});

/** Cuts the next stream of a page after its first event; the answer lets the next begin. */
async function cutStream(person) {
  let mend = null;
  const mended = new Promise((resolve) => (mend = resolve));
  let streams = 0;
  await person.page.route("**/api/games/*/events", async (route) => {
    if (streams++) return mended.then(() => route.continue());
    const game = JSON.stringify(await gameOf(person.address, route.request().url().split("/").at(-2)));
    return route.fulfill({ contentType: "text/event-stream", body: `retry: 10\nevent: game\ndata: ${game}\n\n` });
  });
  return mend;
}

scene("what was played while the stream was cut is said, and can be answered", async (stage) => {
  const person = await stage.person();
  const { address, page } = person;
  const { id, tokens } = await post(address, "/api/games", { game: "hadron", white: { kind: "me" }, black: { kind: "open" } });
  const { token } = await post(address, `/api/games/${id}/join`, {});
  const mend = await cutStream(person);
  await person.takeSeats(id, tokens);
  // The answer to the move gets lost too.
  await page.route("**/move", async (route) => void (await route.fetch()));
  await person.choose({ to: "E5" });
  while (!(await gameOf(address, id)).moves.length);
  await post(address, `/api/games/${id}/move`, { token, ply: 1, move: "A1" });
  mend();
  await person.sees(page.locator("#polite"), "White: E5. Black: A1.");
  await person.sees(person.status(), "Your move (White)");
  assert.equal(await person.action("undo").isDisabled(), false);
  await page.unroute("**/move");
  await person.play({ to: "I1" });
});

scene("a game is shown though the first request for its rules failed", async (stage) => {
  const person = await stage.person();
  const { id } = await post(person.address, "/api/games", { game: "hadron4x5", white: { kind: "me" }, black: { kind: "me" } });
  stage.announce(/rules\/hadron4x5/);
  await person.page.route("**/api/rules/hadron4x5", (route) => route.abort(), { times: 1 });
  await person.open(`/game/${id}`);
  await person.atPly(0);
  assert.equal(await person.page.locator("#error-text").textContent(), "");
});

longScene("a lost connection is shown, and found again when the server is back", async (stage) => {
  const first = await startBoard();
  stage.cleanUp(() => first.program.stop());
  const person = await stage.person({ address: first.address });
  await person.startGame({ family: "hadron", white: "me", black: "me" });
  await person.play({ to: "E5" });
  const note = person.page.locator("#connection");
  assert.equal(await note.isVisible(), false);

  stage.announce(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/);
  await first.program.stop();
  await note.waitFor();
  await person.sees(note, "Connection to the server lost");

  // The new server does not know the game: an error is shown.
  stage.announce(/(\/events 404|404.*\/events$)/);
  const second = await startBoard(Number(new URL(first.address).port));
  stage.cleanUp(() => second.program.stop());
  await person.page.getByRole("heading", { name: "Game not found" }).waitFor();
  assert.equal(await note.isVisible(), false);
  await person.page.getByRole("link", { name: "Back to the games" }).click();
  await person.page.getByText("No games yet.").waitFor();
});

// A move that is entered while the other side thinks: played at once if it is legal then, and
// cancelled by a click or Escape.

import assert from "node:assert/strict";
import { gameOf, post } from "../support/server.js";
import { scene } from "../support/stage.js";

const ME = { kind: "me" };

/** A game of two people, of whom Bob, Black, is before his page. */
async function bobWaits(stage, game, options) {
  const bob = await stage.person(options);
  const { id, tokens } = await post(bob.address, "/api/games", { game, white: ME, black: { kind: "open" } });
  const seat = await post(bob.address, `/api/games/${id}/join`, { name: "Bob" });
  await bob.takeSeats(id, { [seat.side]: seat.token });
  const ada = async (move) => {
    const { now, version } = await gameOf(bob.address, id);
    await post(bob.address, `/api/games/${id}/move`, { token: tokens.white, ply: now.ply, version, move });
  };
  return { bob, ada, page: bob.page, marked: bob.board().locator(".ahead"), id };
}

scene("a move entered while the other thinks is played at once when it is legal", async (stage) => {
  for (const [locale, width, colorScheme] of [["en-GB", 1366, "light"], ["it-IT", 360, "dark"]]) {
    const { bob, ada, page, marked } = await bobWaits(stage, "loa", { locale, colorScheme, viewport: { width, height: 768 } });
    await bob.cell("H3").click();
    await bob.sees(page.locator(".legend"), "H3");
    await bob.cell("F5").click();
    assert.equal(await marked.count(), 2);
    await bob.sees(page.locator(".legend"), "H3–F5");
    assert.match(await bob.cell("F5").getAttribute("aria-label"), locale === "it-IT" ? /in anticipo/ : /entered ahead/);
    await ada("B8-B6");
    await bob.atPly(2);
    assert.equal((await gameOf(bob.address, bob.id)).moves[1].move, "H3-F5");
    assert.equal(await marked.count(), 0);
  }
});

scene("it can be cancelled by a click, by Escape and by another choice", async (stage) => {
  const { bob, ada, marked, page } = await bobWaits(stage, "loa");
  const enter = async () => {
    await bob.cell("H3").click();
    await bob.cell("F5").click();
    await marked.first().waitFor();
  };
  await enter();
  await bob.cell("F5").click();
  await marked.first().waitFor({ state: "detached" });
  await enter();
  await page.keyboard.press("Escape");
  await marked.first().waitFor({ state: "detached" });
  await enter();
  await bob.cell("H2").click();
  await marked.first().waitFor({ state: "detached" });
  await bob.sees(bob.cell("H2"), "");
  assert.equal(await bob.cell("H2").getAttribute("aria-selected"), "true");
  await ada("B8-B6");
  await bob.sees(bob.status(), "Your move (Black)");
  assert.equal((await gameOf(bob.address, bob.id)).moves.length, 1);
  // The piece that was chosen stays so.
  await bob.board().locator('[data-cell="H2"][aria-selected="true"]').waitFor();
});

scene("what is not legal then is dropped and said; a stone of Hadron needs one click", async (stage) => {
  const loa = await bobWaits(stage, "loa");
  await loa.bob.cell("H3").click();
  await loa.bob.cell("H8").click();
  await loa.ada("B8-B6");
  await loa.bob.sees(loa.page.locator("#polite"), "H3–H8, entered ahead, is not allowed now.");
  await loa.bob.sees(loa.bob.status(), "Your move (Black)");
  assert.equal(await loa.marked.count(), 0);

  const hadron = await bobWaits(stage, "hadron5");
  await hadron.bob.cell("A1").click();
  assert.equal(await hadron.marked.count(), 1);
  await hadron.ada("C3");
  await hadron.bob.atPly(2);
});

scene("against an engine too, and neither in a game of two at one screen nor while looking back", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "murus", white: "me", black: "mcts", blackMs: 3000 });
  await person.choose({ from: "G4", to: "E6" });
  await person.sees(person.status(), "Black to move");
  await person.cell("G2").click();
  await person.cell("E2").click();
  await person.board().locator(".ahead").first().waitFor();
  await person.page.locator('[data-step="back"]').click();
  assert.equal(await person.board().locator(".ahead").count(), 0);
  await person.page.locator('[data-step="live"]').click();
  await person.atPly(3);
  assert.equal((await gameOf(person.address, person.id)).moves[2].move, "G2,N");
  await person.startGame({ family: "murus", white: "me", black: "me" });
  await person.cell("A4").click();
  assert.equal(await person.cell("A4").getAttribute("aria-selected"), "false");
});

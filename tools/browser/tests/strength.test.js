// The opponent's strength follows the player: the weakest at first, then a step up or down.

import assert from "node:assert/strict";
import { post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

scene("a newcomer's first opponent is the weakest level, in the buttons and in the form", async (stage) => {
  const person = await stage.person();
  await person.open("/?new");
  assert.equal(await person.page.getByLabel("Strength of Alesia").inputValue(), "recruit");
  assert.equal(await person.page.locator('#new-game [name="black"]').inputValue(), "recruit");
});

scene("after a game the next weaker and stronger opponents are offered, and the choice stays", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const seats = { white: { kind: "me" }, black: { kind: "engine", engine: "optio", ms: 1000 } };
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", ...seats });
  await person.takeSeats(id, tokens);
  assert.equal(await person.action("stronger").isVisible(), false, "not before the end");
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.sees(person.action("weaker"), "Weaker: Legionary");
  assert.match(await person.action("weaker").getAttribute("class"), /main/, "after a loss");
  await person.sees(person.action("stronger"), "Stronger: Centurion");
  await person.action("stronger").click();
  await page.locator(".plate", { hasText: "Centurion" }).waitFor();
  await person.open("/");
  assert.equal(await page.getByLabel("Strength of Alesia").inputValue(), "centurion");
});

longScene("nobody is stronger than full strength, and a person has no strength", async (stage) => {
  const person = await stage.person();
  for (const [black, weaker] of [[{ kind: "engine", engine: "mcts", ms: 100 }, true], [{ kind: "me" }, false]]) {
    const { id, tokens } = await post(person.address, "/api/games", { game: "loa", white: { kind: "me" }, black });
    await person.takeSeats(id, tokens);
    await person.action("resign").click();
    await person.action("resign-yes").click();
    await person.action("rematch").waitFor();
    assert.equal(await person.action("weaker").isVisible(), weaker);
    assert.equal(await person.action("stronger").isVisible(), false);
  }
});

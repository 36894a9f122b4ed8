// The board takes the room there is, on a small desk and on a phone, and its buttons are in view.

import assert from "node:assert/strict";
import { MURUS_ENGINES } from "../support/games.js";
import { post } from "../support/server.js";
import { longScene } from "../support/stage.js";

const ME = { kind: "me" };
const ENGINE = { kind: "engine", engine: "mcts", ms: 100 };
const GAMES = ["murus", "hadron", "loa", "voidrider"];

const heightOf = async (person) => (await person.board().boundingBox()).height;

longScene("at 1366 × 768 a board is at least 560 pixels high, in a game and in the analysis", async (stage) => {
  const person = await stage.person({ viewport: { width: 1366, height: 768 } });
  for (const game of GAMES) {
    const { id, tokens } = await post(person.address, "/api/games", { game, white: ME, black: ENGINE });
    await person.takeSeats(id, tokens);
    assert.ok((await heightOf(person)) >= 560, `${game}, played: ${await heightOf(person)}`);
    await person.page.evaluate(() => localStorage.setItem("alesia-thoughts", "shown"));
    await person.page.reload();
    await person.board().waitFor();
    assert.ok((await heightOf(person)) >= 560, `${game}, with the engine's thoughts: ${await heightOf(person)}`);
    await person.open(`/analyse?game=${game}&moves=&ply=0`);
    await person.board().waitFor();
    assert.ok((await heightOf(person)) >= 560, `${game}, analysed: ${await heightOf(person)}`);
    const { bottom } = await person.page.locator(".steps-main").evaluate((steps) => steps.getBoundingClientRect().toJSON());
    assert.ok(bottom <= 768, `${game}: the steps end at ${bottom}`);
  }
});

longScene("on a phone the board begins within 120 pixels, and its buttons are in view", async (stage) => {
  for (const [locale, height] of [["en-US", 740], ["it-IT", 640]]) {
    const person = await stage.person({ viewport: { width: 360, height }, locale });
    const { page } = person;
    const good = async (what, buttons) => {
      const board = await person.board().boundingBox();
      assert.ok(board.y <= 120, `${what}: the board begins at ${board.y}`);
      for (const button of await page.locator(buttons).all()) {
        if (!(await button.isVisible())) continue;
        const box = await button.boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= height, `${what}: ${await button.textContent()} at ${box.y}`);
      }
    };
    for (const game of GAMES) {
      const { id, tokens } = await post(person.address, "/api/games", { game, white: ME, black: ENGINE });
      await person.takeSeats(id, tokens);
      await good(`${game}, ${locale}`, ".game-actions > *");
      assert.ok((await person.board().boundingBox()).width >= 290, game);
    }
    await person.open(`/analyse?game=murus&moves=${MURUS_ENGINES.join("+")}&ply=4`);
    await person.atPly(4);
    await good(`analysis, ${locale}`, ".steps button");
    // Language and colours are behind a button.
    assert.equal(await page.locator("#language").isVisible(), false);
    await page.locator("#settings-open").click();
    await page.locator("#language").selectOption(locale === "en-US" ? "it" : "en");
    await person.board().waitFor();
  }
});

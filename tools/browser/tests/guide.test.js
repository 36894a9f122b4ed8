// The rules beside a game: their diagrams are boards, and they cover nothing of the game.

import assert from "node:assert/strict";
import { post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const TWO = { white: { kind: "me" }, black: { kind: "me" } };

async function opened(person, game) {
  const { id, tokens } = await post(person.address, "/api/games", { game, ...TWO });
  await person.takeSeats(id, tokens);
  await person.action("guide").click();
  await person.page.locator(".guide-board").first().waitFor();
}

scene("a game without a page of rules has no button for it", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await page.route("**/api/rules", async (route) => {
    const answer = await route.fetch();
    const rules = await answer.json();
    for (const game of rules.games) game.guide = game.id !== "loa";
    await route.fulfill({ response: answer, json: rules });
  });
  for (const game of ["hadron", "loa"]) {
    const { id } = await post(person.address, "/api/games", { game, ...TWO });
    for (const path of [`/game/${id}`, `/analyse?game=${game}`]) {
      await person.open(path);
      await person.board().waitFor();
      assert.equal(await person.action("guide").isVisible(), game === "hadron", path);
    }
  }
});

longScene("every diagram of the rules is a board with the pieces of its letters", async (stage) => {
  const person = await stage.person({ viewport: { width: 1366, height: 768 } });
  for (const game of ["murus", "hadron", "loa", "voidrider"]) {
    await opened(person, game);
    const found = await person.page.locator(".guide-diagram").evaluateAll((all) =>
      all.map((text) => {
        const cells = text.textContent.split("\n").slice(0, -1).flatMap((line) => line.trim().split(/\s+/).slice(1));
        const board = text.previousElementSibling;
        const count = (what) => board.querySelectorAll(what).length;
        return {
          letters: [cells.filter((cell) => /[a-z]/i.test(cell)).length, cells.length, cells.filter((cell) => cell === "*").length],
          drawn: [count(".piece"), count(".tile"), count(".guide-mark")],
          seen: text.getBoundingClientRect().width > 2,
        };
      }),
    );
    assert.ok(found.length >= 10, `${game}: ${found.length} diagrams`);
    for (const { letters, drawn, seen } of found) {
      assert.deepEqual(drawn, letters, game);
      assert.equal(seen, false, "the letters are for screen readers");
    }
  }
});

longScene("on a laptop the rules cover nothing of the game, which can be played on", async (stage) => {
  for (const width of [1024, 1366]) {
    const person = await stage.person({ viewport: { width, height: 768 }, locale: "it-IT" });
    const { page } = person;
    await opened(person, "voidrider");
    const guide = await page.locator("dialog.guide").boundingBox();
    const parts = page.locator(".game-view > *, .game-view .board, .game-actions > *, .plate, .moves-panel, body > header");
    for (const part of await parts.all()) {
      const box = await part.boundingBox();
      if (box?.width) assert.ok(box.x + box.width <= guide.x + 1, `${await part.getAttribute("class")} ends at ${box.x + box.width}, the rules begin at ${guide.x}`);
    }
    assert.ok((await person.board().boundingBox()).width >= 280);
    await person.play({ from: "b3", to: "a3" });
    await page.keyboard.press("Escape");
    await page.locator("dialog.guide").waitFor({ state: "detached" });
    // The button opens and closes them.
    await person.action("guide").click();
    await page.locator("dialog.guide").waitFor();
    await person.action("guide").click();
    await page.locator("dialog.guide").waitFor({ state: "detached" });
  }
});

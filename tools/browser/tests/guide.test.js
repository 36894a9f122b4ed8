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

scene("on a laptop the rules cover nothing of an analysis either", async (stage) => {
  const person = await stage.person({ viewport: { width: 1366, height: 768 } });
  const { page } = person;
  await person.open("/analyse?game=murus");
  await person.action("guide").click();
  await page.locator(".guide-board").first().waitFor();
  const guide = await page.locator("dialog.guide").boundingBox();
  for (const part of await page.locator(".analyse-work > *, .board, .steps, .analyse-head, body > header").all()) {
    const box = await part.boundingBox();
    if (box?.width) assert.ok(box.x + box.width <= guide.x + 1, `${await part.getAttribute("class")} ends at ${box.x + box.width}, the rules begin at ${guide.x}`);
  }
  assert.ok((await person.board().boundingBox()).width >= 280);
});

scene("the moves of the examples are played on their boards by a click", async (stage) => {
  for (const [locale, width] of [["en-GB", 1366], ["it-IT", 360]]) {
    const person = await stage.person({ viewport: { width, height: 768 }, locale });
    const { page } = person;
    await opened(person, "murus");
    const guide = page.locator("dialog.guide");
    const shows = (rows) => guide.locator(`.guide-board[data-rows="${rows}"]`);
    const [before, after] = ["BBBBBBBB/......../......../......../......../......../WWWWWWWW", "BBBBBBBB/......../......../......../.....w../....w.../WWW.WWWW"];
    // The start position, and the one after the move of the first example.
    await shows(after).waitFor();
    assert.equal(await shows(before).count(), 1);
    await guide.locator("figcaption button").filter({ hasText: "G4,NE" }).click();
    await page.waitForFunction(([rows]) => document.querySelectorAll(`.guide-board[data-rows="${rows}"]`).length === 2, [before]);
    await shows(after).waitFor();
    assert.equal(await shows(before).count(), 1);

    // A move that only the text names: White enters the home row.
    const move = guide.locator("code button").filter({ hasText: /^C5,N$/ }).first();
    await move.click();
    await shows("BB..wbBB/....w.../......../......../......../......../..WW..W.").waitFor();
    await shows("BB...bBB/......../....W.../......../......../......../..WW..W.").waitFor();
    const wide = await page.evaluate(() => document.querySelector("dialog.guide").scrollWidth - document.querySelector("dialog.guide").clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide at ${width}`);
  }
});

scene("what is named but not allowed is no button, and Hadron's line of three moves is shown", async (stage) => {
  const person = await stage.person();
  await opened(person, "hadron");
  const guide = person.page.locator("dialog.guide");
  await guide.locator("code button").filter({ hasText: /^C4$/ }).waitFor();
  assert.equal(await guide.locator("code button").filter({ hasText: "hadron5" }).count(), 0);
  await guide.locator("figcaption button").filter({ hasText: "C3 B5 D1" }).click();
  for (const rows of ["bww.w/b.bb./.b.w./.bw.w/wb.w.", "bww.w/b.bb./.bbw./.bw.w/wb.w.", "bww.w/b.bbw/.bbw./.bw.w/wb.w.", "bww.w/b.bbw/.bbw./bbw.w/wb.w."]) {
    await guide.locator(`.guide-board[data-rows="${rows}"]`).first().waitFor();
  }
});

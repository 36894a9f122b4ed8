// The first view: the games as cards whose boards play, with the ways into each game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { post } from "../support/server.js";
import { pageFile } from "../support/sources.js";
import { longScene, scene, theBoard } from "../support/stage.js";

const RECORDED = JSON.parse(pageFile("recorded.json"));

test("every recorded game is one by the rules, to its end", async () => {
  for (const [game, { moves, boards }] of Object.entries(RECORDED)) {
    const { start, moves: played, result } = await post(await theBoard(), "/api/positions", { game, moves: moves.split(" ") });
    assert.ok(result, game);
    assert.deepEqual(boards, [start, ...played].map(({ rows }) => rows.join("/")), game);
  }
});

/** Where the pieces of each board stand, in short. */
const boards = (page) =>
  page.locator(".game-card-board").evaluateAll((all) => all.map((board) => [...board.querySelectorAll("g[transform]")].map((piece) => piece.getAttribute("transform").replace(/\D+/g, " ").trim()).join()));

/** Until each board has played a move, whose cells are marked. */
const havePlayed = (page) => page.waitForFunction(() => [...document.querySelectorAll(".game-card-board")].every((board) => board.querySelector(".last-new")));

scene("each card says what its game is, plays a recorded one, and stops when asked", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/");
  const titles = await page.locator(".game-card h2").allTextContents();
  assert.deepEqual(titles, ["Murus Gallicus", "Hadron", "Lines of Action", "Voidrider Chess", "Chess variants", "Analyse"]);
  await havePlayed(page);
  await page.getByRole("button", { name: "Stop the boards" }).click();
  const stopped = await boards(page);
  await page.waitForTimeout(400);
  assert.deepEqual(await boards(page), stopped);
  // The choice stays with the browser.
  await page.reload();
  await page.getByRole("button", { name: "Let the boards play" }).waitFor();
});

scene("who wants no motion gets boards that stand still", async (stage) => {
  const person = await stage.person({ reducedMotion: "reduce" });
  const { page } = person;
  await person.open("/");
  // They show the middle of their games.
  await havePlayed(page);
  const still = await boards(page);
  await page.waitForTimeout(400);
  assert.deepEqual(await boards(page), still);
  assert.equal(await page.locator('[data-action="motion"]').isVisible(), false);
});

scene("lesson, rules and variants are a click away, on a phone too", async (stage) => {
  for (const [locale, width, learn, rules, choose] of [["en-GB", 1366, "Learn", "Rules", "Choose a variant"], ["it-IT", 360, "Impara", "Regole", "Scegli una variante"]]) {
    const person = await stage.person({ locale, viewport: { width, height: 768 } });
    const { page } = person;
    await person.open("/");
    const card = page.locator(".game-card", { hasText: "Lines of Action" });
    await card.getByRole("button", { name: rules }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Lines of Action" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: choose }).click();
    await page.locator(".variant-choice select").first().waitFor();
    await page.goBack();
    await card.getByRole("link", { name: `${learn} Lines of Action` }).click();
    await page.locator(".learn svg.board").waitFor();
  }
});

longScene("the first view fills a laptop and a large screen", async (stage) => {
  for (const [width, height] of [[1366, 768], [1920, 1080]]) {
    const person = await stage.person({ viewport: { width, height } });
    await person.open("/");
    await person.page.locator(".game-card").nth(5).waitFor();
    const boxes = await Promise.all((await person.page.locator(".game-card, .new-game").all()).map((part) => part.boundingBox()));
    const [left, right] = [Math.min(...boxes.map(({ x }) => x)), Math.max(...boxes.map((box) => box.x + box.width))];
    assert.ok(right - left > 0.85 * width, `${width}: from ${left} to ${right}`);
    const bottom = Math.max(...boxes.map((box) => box.y + box.height));
    assert.ok(bottom > 0.9 * height && bottom <= height, `${width}: down to ${bottom}`);
    // Nothing of the grid is empty: as many cards in each row.
    const rows = Map.groupBy ? [...Map.groupBy(boxes.slice(0, 6), ({ y }) => y).values()].map((row) => row.length) : [3, 3];
    assert.deepEqual(rows, [3, 3]);
  }
});

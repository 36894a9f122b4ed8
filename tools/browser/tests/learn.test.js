// The guided first game: every task can be solved, is checked, and leads to a first real game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gameOf, post } from "../support/server.js";
import { pageFile, pageScript } from "../support/sources.js";
import { longScene, theBoard } from "../support/stage.js";

const GAMES = ["murus", "hadron", "loa", "voidrider"];
const stepsOf = (game) => JSON.parse(pageFile(`lesson-${game}.json`)).steps;

for (const game of GAMES) {
  test(`every task of ${game} has a solution, and not every move is one`, async () => {
    const { isReached } = await pageScript("lesson-goal.js");
    const steps = stepsOf(game);
    assert.ok(steps.length >= 5 && steps.length <= 8, `${steps.length} tasks`);
    for (const [i, step] of steps.entries()) {
      const { goals, replies = [], solution } = step;
      const what = `task ${i + 1}`;
      const ask = async (moves) => post(await theBoard(), "/api/positions", { game: step.game ?? game, board: step.board, moves });
      assert.equal(solution.length, 2 * goals.length - 1, what);
      assert.equal(replies.length, goals.length - 1, what);
      for (const [k, goal] of goals.entries()) {
        const before = await ask(solution.slice(0, 2 * k));
        const after = await ask(solution.slice(0, 2 * k + 1));
        assert.ok(isReached(goal, before, after), `${what}: ${solution[2 * k]}`);
        if (k < replies.length) {
          const legal = after.now.legal.map(({ move }) => move);
          assert.equal(replies[k].find((move) => legal.includes(move)), solution[2 * k + 1], `${what}: the reply`);
        }
      }
      const start = await ask([]);
      const others = await Promise.all(start.now.legal.map(async ({ move }) => isReached(goals[0], start, await ask([move]))));
      assert.ok(others.includes(false), `${what}: every move is right`);
      for (const language of ["en", "it"]) assert.deepEqual(Object.values(step[language]).map((text) => text.length > 5), [true, true, true], `${what}, ${language}`);
      // What is asked for names the same cells in both languages.
      const cells = (text) => [...new Set(text.match(/\b[A-Ia-i][1-9]\b/g))].sort();
      assert.deepEqual(cells(step.it.task), cells(step.en.task), what);
    }
  });
}

/** Solves a task by clicking; `moves` are those of the solution. */
async function solve(person, game, step) {
  const { page } = person;
  const { start, moves } = await post(person.address, "/api/positions", { game: step.game ?? game, board: step.board, moves: step.solution });
  for (const [i, move] of moves.entries()) {
    await person.atPly(start.ply + i);
    if (i % 2 === 0) await person.choose({ ...move, promotion: move.promotion?.toUpperCase() });
  }
  await page.locator('.learn-said[data-phase="done"]').waitFor();
}

for (const [game, locale, width] of [["murus", "it-IT", 360], ["hadron", "en-GB", 1366], ["loa", "it-IT", 1366], ["voidrider", "en-GB", 360]]) {
  longScene(`a newcomer solves the tasks of ${game} and plays the weakest level, ${locale}, ${width} px`, async (stage) => {
    const person = await stage.person({ locale, viewport: { width, height: 740 } });
    const { page } = person;
    await person.open(`/learn/${game}`);
    const language = locale.slice(0, 2);
    for (const step of stepsOf(game)) {
      await person.sees(page.locator(".learn-text h2"), step[language].title);
      await solve(person, game, step);
      await person.sees(page.locator(".learn-said"), step[language].done.slice(0, 30));
      await person.action("next").click();
    }
    assert.equal(await page.locator(".learn-steps .done").count(), stepsOf(game).length);
    await person.action("first-game").click();
    await page.waitForURL("**/game/*");
    await person.board().waitFor();
    const { game: played, seats } = await gameOf(person.address, person.id);
    assert.deepEqual([played, seats.white.kind, seats.black.engine], [game, "person", "recruit"]);
  });
}

longScene("a wrong move is said to be one, a solution is shown, and the rules lead to the lesson", async (stage) => {
  const person = await stage.person({ locale: "it-IT" });
  const { page } = person;
  await person.open("/learn/murus?step=2");
  await person.choose({ from: "G1", to: "E1" });
  await person.sees(page.locator(".learn-said"), "G1,N è permessa, ma non è quello che chiede l’esercizio.");
  await person.action("again").click();
  await person.atPly(20);
  await person.action("solve").click();
  await person.sees(page.locator(".learn-said"), "Questa è una soluzione. Ora tocca a te.");
  assert.equal(await page.locator(".learn-steps .done").count(), 0, "what was shown is not solved");
  await person.action("again").click();
  await person.atPly(20);
  await person.choose({ from: "D4", to: "D5" });
  await page.locator(".learn-steps .done").waitFor();
  // It stays with the browser, and the language changes where one is.
  await page.getByLabel("Lingua").selectOption("en");
  await person.sees(page.locator(".learn-text h2"), "Build a tower");
  await page.locator(".learn-steps .done").waitFor();
  await person.action("guide").click();
  await page.getByRole("dialog").getByRole("link", { name: "Learn" }).click();
  await person.sees(page.locator(".learn-text h2"), "A tower steps");
  await person.atPly(0);

  await person.open("/learn/chess");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

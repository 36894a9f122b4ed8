// Watching a referee's game to its result: what a spectator sees of it while it is played.

import assert from "node:assert/strict";
import { pageOf, start } from "../support/programs.js";
import { scene } from "../support/stage.js";

scene("a game of a referee is watched from its first move to its result", async (stage) => {
  const referee = start("alesia", ["referee", "-gui", "--game", "hadron5", "-p", "0", "-wt", "0", "-tt", "400"]);
  stage.cleanUp(() => referee.stop());
  const address = await pageOf(referee);
  const [, port] = await referee.line(/listening on .*:(\d+)/);

  const person = await stage.person({ address });
  const { page } = person;
  await person.open("/");
  const engine = ["--game", "hadron5", "--threads", "1", "--memory", "8MiB", "--move-time", "400", "--ponder", "off"];
  const join = (more) => start("alesia", ["play", "127.0.0.1", port, ...engine, ...more]);
  const players = [join(["--board", address.replace("http://", "")])];
  stage.cleanUp(() => Promise.all(players.map((player) => player.stop())));
  await referee.line(/White/);
  players.push(join([]));

  await page.getByRole("link", { name: /^(Watch|View): Hadron/ }).click();
  await person.board().waitFor();
  assert.equal(await person.action("hint").isVisible(), false, "no person plays here");

  // Moves come by themselves; the last is marked, and its side's clock has run.
  await page.waitForFunction(() => Number(document.querySelector("svg.board").dataset.ply) >= 2);
  await person.sees(page.locator("ol.moves .move").first(), /^[A-E][1-5]$/);
  await person.board().locator('[aria-label$="last move"]').waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".clock.running, [data-status].over").length > 0);

  // Only the player with --board sends its analysis.
  const thought = page.locator('[data-thought="white"]');
  await thought.waitFor();
  assert.equal(await page.locator('[data-thought="black"]').isVisible(), false);

  const [, result] = await referee.line(/^result: (.*)$/);
  const game = await person.seesResult();
  assert.equal(game.result.text, result, "the referee's own line");
  assert.equal(await person.ply(), game.moves.length);
  assert.ok(game.clock.used.white > 0 && game.clock.used.black > 0);

  // What was thought stays, move by move.
  await page.locator('[data-step="first"]').click();
  await page.locator('[data-step="on"]').click();
  await person.sees(thought, `played ${game.moves[0].move}`);
  // What is proved at once, as near the end, has no iterations; the first move has.
  for (const part of ["Depth", "Iterations", "Line:"]) await person.sees(thought, part);

  // The lobby shows the result too.
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await person.sees(page.locator(".card-state"), `wins: ${result.match(/\((.*)\)/)[1]}`);
});

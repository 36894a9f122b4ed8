// A person's own marks on the board, the replay of a game by itself, and sounds.

import assert from "node:assert/strict";
import { LOA } from "../support/games.js";
import { post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const ME = { kind: "me" };
const TWO = { white: ME, black: ME };

async function middle(person, name) {
  const { x, y, width, height } = await person.cell(name).boundingBox();
  return [x + width / 2, y + height / 2];
}

/** Draws with the right mouse button from a cell to a cell. */
async function mark(person, from, to) {
  const { mouse } = person.page;
  await mouse.move(...(await middle(person, from)));
  await mouse.down({ button: "right" });
  await mouse.move(...(await middle(person, to)), { steps: 3 });
  await mouse.up({ button: "right" });
}

scene("the right mouse button draws arrows and circles, which go with the position", async (stage) => {
  const person = await stage.person();
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", ...TWO });
  await person.takeSeats(id, tokens);
  const [arrows, circles] = [".arrow-body", ".arrow-ring"].map((kind) => person.board().locator(`.own ${kind}, .layer-own ${kind}`));
  await mark(person, "A3", "D6");
  await mark(person, "E5", "E5");
  assert.deepEqual([await arrows.count(), await circles.count()], [1, 1]);
  await person.action("flip").click();
  assert.equal(await arrows.count(), 1, "the board turns with them");
  await person.action("flip").click();
  await mark(person, "A3", "D6");
  assert.equal(await arrows.count(), 0, "the same again takes it away");
  await person.page.keyboard.down("Shift");
  await mark(person, "A3", "D6");
  await person.page.keyboard.up("Shift");
  assert.equal(await person.board().locator(".own.second").count(), 1);
  assert.equal(await person.board().locator('[aria-selected="true"]').count(), 0, "nothing was chosen");
  await person.play({ from: "B8", to: "B6" });
  assert.equal(await person.board().locator(".layer-own > *").count(), 0);
});

longScene("a game replays by itself at the chosen speed, and stops where somebody steps", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id } = await post(person.address, "/api/games", { game: "loa", moves: LOA.slice(0, 6), ...TWO });
  for (const path of [`/game/${id}`, `/analyse?game=loa&moves=${LOA.slice(0, 6).join("+")}&ply=6`]) {
    await person.open(path);
    await person.atPly(6);
    await person.action("replay-speed").selectOption("500");
    const button = person.action("replay");
    await button.click();
    await person.atPly(0);
    assert.equal(await button.getAttribute("aria-label"), "Stop the replay");
    await person.atPly(6);
    await page.getByRole("button", { name: "Replay the game" }).waitFor();
    // Slow enough to be interrupted on a busy machine.
    await person.action("replay-speed").selectOption("2000");
    await button.click();
    await person.atPly(1);
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Replay the game" }).waitFor();
  }
  await page.reload();
  assert.equal(await person.action("replay-speed").inputValue(), "2000", "the speed is remembered");
});

/** Notes the frequency of every tone that the page begins. */
const listen = (person) =>
  person.page.context().addInitScript(() => {
    globalThis.tones = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      globalThis.tones.push(Math.round(this.frequency.value));
      return start.apply(this, when);
    };
  });

scene("moves, captures and the end are heard once sounds are switched on", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await listen(person);
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", moves: LOA.slice(0, 2), ...TWO });
  await person.takeSeats(id, tokens);
  const heard = () => page.evaluate(() => globalThis.tones.splice(0));
  const sounds = page.getByRole("button", { name: "Sounds" });
  await person.play({ from: "F8", to: "F5" });
  assert.deepEqual(await heard(), [], "they are off at first");
  await sounds.click();
  assert.equal(await sounds.getAttribute("aria-pressed"), "true");
  assert.deepEqual(await heard(), [440], "switched on, they are heard");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await heard(), [330, 220], "a capture");
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.seesResult();
  assert.deepEqual(await heard(), [523, 659, 784]);
  await page.reload();
  assert.equal(await sounds.getAttribute("aria-pressed"), "true");
});

scene("a clock with a limit is heard once before its end", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await listen(person);
  await person.open("/");
  await page.getByRole("button", { name: "Sounds" }).click();
  const tones = await page.evaluate(async () => {
    const { createClocks } = await import("/page/clock.js");
    const face = () => document.createElement("span");
    const clocks = createClocks({ white: face(), black: face() });
    globalThis.tones = [];
    const clock = { limit: 10000, running: "white", used: { white: 0, black: 0 } };
    const counts = [];
    for (const [running, elapsed, limit] of [["white", 0, 10000], ["white", 7000, 10000], ["white", 8500, 10000], ["white", 9000, 10000], ["black", 900, 1000]]) {
      clocks.set({ ...clock, running, elapsed, limit });
      counts.push(globalThis.tones.length);
    }
    clocks.stop();
    return counts;
  });
  assert.deepEqual(tones, [0, 0, 2, 2, 2]);
});

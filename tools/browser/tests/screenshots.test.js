// The pictures of README.md and docs/board.md. They go to screenshots/ with UPDATE_SCREENSHOTS=1
// (that is `npm run screenshots`), and otherwise to a folder that is thrown away, so that a test
// run changes nothing.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MURUS_ENGINES, VOIDRIDER_ENGINES } from "../support/games.js";
import { startBoard } from "../support/programs.js";
import { post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const kept = process.env.UPDATE_SCREENSHOTS === "1";
const ME = { kind: "me" };

async function picture(stage, person, name) {
  const folder = kept ? fileURLToPath(new URL("../screenshots", import.meta.url)) : mkdtempSync(join(tmpdir(), "alesia-browser-"));
  if (!kept) stage.cleanUp(() => rmSync(folder, { recursive: true }));
  const path = join(folder, `${name}.png`);
  // A pointer that rests on something would light it up.
  await person.page.mouse.move(0, 0);
  await person.page.screenshot({ path, animations: "disabled" });
  assert.ok(statSync(path).size < 250_000, `${name}: of a modest size`);
}

longScene("watching a game of Murus Gallicus", async (stage) => {
  const person = await stage.person({ colorScheme: "light" });
  // Each ply stands long enough to be seen on a busy machine.
  const seat = (engine) => ({ kind: "engine", engine, ms: 4000 });
  const moves = MURUS_ENGINES.slice(0, 15);
  const { id } = await post(person.address, "/api/games", { game: "murus", moves, white: seat("mcts"), black: seat("alphabeta") });
  await person.open(`/game/${id}`);
  await person.atPly(17);
  await person.page.locator('[data-thought="black"].thinking .line').filter({ hasText: "Line:" }).waitFor();
  await picture(stage, person, "watch");
});

scene("playing Voidrider Chess, with the targets of a voidrider", async (stage) => {
  const person = await stage.person({ colorScheme: "light" });
  const moves = VOIDRIDER_ENGINES.slice(0, 16);
  const { id, tokens } = await post(person.address, "/api/games", { game: "voidrider", moves, white: ME, black: { kind: "open" } });
  await post(person.address, `/api/games/${id}/join`, { name: "Bob" });
  await person.takeSeats(id, tokens);
  await person.cell("b1").click();
  await person.board().locator("[data-target=space]").first().waitFor();
  await picture(stage, person, "play");
});

longScene("analysing a game of Murus Gallicus", async (stage) => {
  const person = await stage.person({ colorScheme: "light", viewport: { width: 1280, height: 880 } });
  const { page } = person;
  await person.open(`/analyse?game=murus&moves=${MURUS_ENGINES.join("+")}&ply=12&white=Ada&black=Bob`);
  await person.atPly(12);
  await page.getByLabel("Per position").selectOption("100");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.getByRole("progressbar", { name: "Review" }).waitFor({ state: "visible" });
  await page.getByRole("button", { name: "Review the game" }).waitFor();
  await page.locator("#live-time").selectOption("1000");
  await page.getByRole("switch", { name: "Analyse" }).check();
  await page.getByText(/^Done\. Best move/).waitFor();
  await picture(stage, person, "analyse");
});

scene("the lobby on a phone, in the dark", async (stage) => {
  const { program, address } = await startBoard();
  stage.cleanUp(() => program.stop());
  const person = await stage.person({ address, colorScheme: "dark", reducedMotion: "reduce", viewport: { width: 360, height: 740 } });
  const ada = { kind: "me", name: "Ada" };
  const engine = { kind: "engine", engine: "mcts", ms: 1000 };
  await post(person.address, "/api/games", { game: "loa", white: ada, black: { kind: "open" } });
  await post(person.address, "/api/games", { game: "murus", moves: MURUS_ENGINES.slice(0, 14), white: { kind: "me", name: "Bob" }, black: engine });
  await person.open("/");
  await person.page.locator(".card").nth(1).waitFor();
  await picture(stage, person, "lobby");
});

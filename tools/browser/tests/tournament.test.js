// A tournament that is followed live: its standings, and several of its games at once.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pageOf, start } from "../support/programs.js";
import { longScene, scene } from "../support/stage.js";

const CUP = `
title = "Spring cup"
game = "hadron7"
draw = 2026
concurrency = 2
[each]
st = 0.3
option = { threads = 1, memory = "4MiB" }
[[player]]
name = "Tree"
[[player]]
name = "Alpha"
option = { engine = "alphabeta" }
[[player]]
name = "Chance"
option = { engine = "random" }
[[player]]
name = "Other"
option = { memory = "8MiB" }
`;

longScene("the standings of a tournament and its games come in live", async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), "alesia-browser-"));
  writeFileSync(join(folder, "cup.toml"), CUP);
  const cup = start("alesia-lab", ["tournament", join(folder, "cup.toml"), "--board", "0"]);
  stage.cleanUp(async () => {
    await cup.stop();
    rmSync(folder, { recursive: true });
  });
  const address = await pageOf(cup);
  const [watcher, reader] = [await stage.person({ address }), await stage.person({ address })];

  const playing = watcher.page.locator(".card", { hasText: "to move" });
  await watcher.open("/");
  await Promise.all([playing.nth(1).waitFor(), reader.open("/standings")]);
  const told = reader.page.locator(".standings-head p");
  await reader.page.getByRole("heading", { name: "Spring cup" }).waitFor();
  const table = reader.page.getByRole("table").first();
  await table.getByRole("row").nth(4).waitFor();
  const seen = new Set();
  for (;;) {
    const text = await told.textContent();
    if (text === "All 12 games have been played.") break;
    if (/^\d+ of 12 games played$/.test(text)) seen.add(text);
    const changed = (before) => document.querySelector(".standings-head p").textContent !== before;
    await reader.page.waitForFunction(changed, text);
  }
  assert.ok(seen.size >= 2, `it was followed: ${[...seen].join(", ")}`);

  // The table is that of the tournament's own file.
  await cup.line(/^.*Other.*$/);
  const [head, ...rows] = readFileSync(join(folder, "cup", "standings.csv"), "utf8").trim().split("\n");
  const columns = head.split(",");
  const value = (row, name) => row.split(",")[columns.indexOf(name)];
  const shown = await table.locator("tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.children].slice(0, 3).map((cell) => cell.firstChild.textContent)),
  );
  assert.deepEqual(shown, rows.map((row) => ["Rank", "Name", "Points"].map((name) => value(row, name))));

  // A game of the list can be viewed.
  await reader.page.getByRole("region", { name: "Games" }).getByRole("link").first().click();
  await reader.page.locator("[data-status].over").waitFor();
});

scene("what can be clicked in the standings stays when a game comes in", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const zero = { points: 0, played: 0, won: 0, drawn: 0, lost: 0, home: 0, away: 0, late: 0, illegal: 0, crashed: 0 };
  const game = (k) => ({ white: "Ada", black: "Bob", result: "1-0", reason: "no legal move", plies: 9, id: `g${k}` });
  let played = 0;
  // Each stream has one event, with one game more, and the leader changes.
  await page.route("**/api/standings/events", (route) => {
    played++;
    const names = played % 2 ? ["Ada", "Bob"] : ["Bob", "Ada"];
    const rows = names.map((name, k) => ({ ...zero, rank: k + 1, name, played }));
    const games = Array.from({ length: played }, (_, k) => game(k));
    const data = { title: "Cup", game: "loa", played, of: 100, groups: [{ number: 1, rows }], games };
    return route.fulfill({ contentType: "text/event-stream", body: `retry: 100\nevent: standings\ndata: ${JSON.stringify(data)}\n\n` });
  });
  await person.open("/standings");
  const found = ["select", '[data-player="Bob"]', 'a[href="/game/g0"]'].map((what) => page.locator(`.standings ${what}`).first());
  const kept = await Promise.all(found.map((element) => element.elementHandle()));
  const rows = page.getByRole("region", { name: "Games" }).locator("tbody tr");
  await rows.nth(2).waitFor();
  for (const element of kept) assert.equal(await element.evaluate(({ isConnected }) => isConnected), true, String(element));
  await rows.first().getByRole("link").waitFor();
  assert.equal(await rows.last().getByRole("link").getAttribute("href"), "/game/g0", "the newest is first");
});

scene("a match's page has the score, the test, the pairs, and its games by player and opening", async (stage) => {
  const each = ["-each", "st=0.05", "option.memory=4MiB"];
  const engines = ["-engine", "name=Tree", "-engine", "name=Chance", "option.engine=random"];
  const test = ["-sprt", "elo0=0", "elo1=400", "-openings", "plies=2", "-srand", "3"];
  // The browser is there first: a match without visitors ends with its last game.
  const person = await stage.person();
  const match = start("alesia-lab", ["match", "-game", "hadron4", ...engines, ...each, "-rounds", "40", ...test, "-board", "port=0"]);
  stage.cleanUp(() => match.stop());
  person.address = await pageOf(match);
  const { page } = person;
  await person.open("/standings");
  await page.getByRole("heading", { name: "Tree – Chance" }).waitFor();
  const score = page.getByRole("region", { name: "Score" });
  const games = page.getByRole("region", { name: "Games" });
  await games.locator("tbody tr").nth(3).waitFor();
  await person.sees(score, "Tree");
  await person.sees(page.getByRole("region", { name: "Sequential test" }), /LLR -?\d+\.\d\d, bounds -2\.94 and 2\.94/);
  assert.equal(await page.getByRole("meter", { name: "Log-likelihood ratio" }).count(), 1);
  // Both over the games, which are the page's own from game to game.
  const curves = page.getByRole("region", { name: "Over the games" });
  await curves.getByRole("slider", { name: "Log-likelihood ratio over the games" }).waitFor();
  await person.sees(curves.locator(".graph-caption"), /^\d+ games · Tree /);
  await curves.locator(".graph-line").last().waitFor();
  const pairs = page.getByRole("region", { name: "Pairs of games" }).locator("tbody td");
  assert.equal(await pairs.count(), 5);

  // By opening the two games of a pair stand together.
  await page.getByLabel("Order of the games").selectOption("opening");
  const openings = await games.locator(".opening-cell").allTextContents();
  assert.deepEqual(openings, [...openings].sort());
  await page.getByLabel("Whose games").selectOption("Chance");
  assert.ok((await games.locator("tbody tr").count()) >= 4);
  await games.getByRole("link", { name: /^View game \d+, / }).first().click();
  await page.locator("[data-status].over").waitFor();
});

scene("a finished tournament is shown too, and a name leads to its player's games", async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), "alesia-browser-"));
  stage.cleanUp(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "cup.toml"), CUP.replace("st = 0.3", "nodes = 20").replaceAll("hadron7", "hadron4"));
  const args = ["tournament", join(folder, "cup.toml")];
  assert.equal(await start("alesia-lab", args).ended, 0);
  const cup = start("alesia-lab", [...args, "--board", "0"]);
  stage.cleanUp(() => cup.stop());
  const person = await stage.person({ address: await pageOf(cup) });
  const { page } = person;
  await person.open("/standings");
  await page.getByText("All 12 games have been played.").waitFor();
  const games = page.getByRole("region", { name: "Games" }).locator("tbody tr");
  assert.equal(await games.count(), 12);
  await page.locator('[data-player="Tree"]').click();
  assert.equal(await games.count(), 6);
  await games.first().getByRole("link").click();
  await page.locator("[data-status].over").waitFor();
  await person.sees(page.locator(".game-title"), "Spring cup, pair");
});

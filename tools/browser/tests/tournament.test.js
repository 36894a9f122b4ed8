// A tournament that is followed live: its standings, and several of its games at once.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pageOf, start } from "../support/programs.js";
import { scene } from "../support/stage.js";

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

scene("the standings of a tournament and its games come in live", async (stage) => {
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

// After a game: who has won and why, what can be taken home. And what is around it: engines'
// thoughts that are veiled while one plays, a double click, the keys, addresses that name nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { LOA, MURUS } from "../support/games.js";
import { gameOf, post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const ME = { kind: "me" };
const ENGINE = { kind: "engine", engine: "mcts", ms: 100 };

/** The text of a file that a click downloads. */
async function download(person, kind) {
  const { page } = person;
  await person.action("download").locator("summary").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-download="${kind}"]`).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

longScene("a player is told that they have won, lost or drawn, and a spectator who has won", async (stage) => {
  const [ada, bob, eve] = [await stage.person(), await stage.person(), await stage.person()];
  const { id, tokens } = await post(ada.address, "/api/games", { game: "loa", moves: LOA.slice(0, -1), white: ME, black: { kind: "open" } });
  const seat = await post(ada.address, `/api/games/${id}/join`, { name: "Bob" });
  await ada.takeSeats(id, tokens);
  await bob.takeSeats(id, { [seat.side]: seat.token });
  await eve.open(`/game/${id}`);
  await ada.play({ from: "D1", to: "F3" });
  await ada.sees(ada.page.locator('[data-verdict="won"]'), "You won");
  await bob.sees(bob.page.locator('[data-verdict="lost"]'), "You lost");
  await ada.sees(ada.page.locator("#polite"), "You won. White wins: all stones connected.");
  await eve.seesResult();
  assert.equal(await eve.page.locator("[data-verdict]").count(), 0);
  for (const name of ["rematch", "again", "analyse", "download"]) await ada.action(name).waitFor();
});

longScene("a game is taken home as record, PGN, moves and picture, and its record can be analysed", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id, tokens } = await post(person.address, "/api/games", { game: "murus", moves: MURUS.slice(0, -1), white: { ...ME, name: "Ada" }, black: ME });
  await person.takeSeats(id, tokens);
  assert.equal(await person.action("download").isVisible(), false, "not before the end");
  const { now } = await gameOf(person.address, id);
  await person.play(now.legal.find(({ move }) => move === MURUS.at(-1)));
  await person.seesResult();

  const pgn = String((await download(person, "pgn")).bytes);
  for (const line of ['[Variant "murus"]', '[Result "0-1"]', '[White "Ada"]', '[Termination "normal"]']) assert.ok(pgn.includes(line), line);
  assert.match(pgn, /\n1\. G7,NW A5,SE 2\. G3,NE [^]* \{home row reached\}\s0-1\n/);
  const moves = await download(person, "moves");
  assert.deepEqual([moves.name, String(moves.bytes).trim()], [`alesia-murus-${id}.txt`, `${MURUS.join(" ")} 0-1`]);
  const table = String((await download(person, "csv")).bytes).trim().split(/\r?\n/);
  assert.equal(table.length, 1 + MURUS.length);
  assert.match(table[1], /,murus,Ada,Black,1,White,"G7,NW",/);
  assert.equal(await page.locator('[data-download="sgf"]').count(), 0, "there is no SGF of this game");

  const svg = String((await download(person, "svg")).bytes);
  assert.match(svg, /^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.ok(!/class=/.test(svg) && svg.match(/<g/g).length > 56, "it needs no style sheet");
  const png = (await download(person, "png")).bytes;
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 10_000, `${png.length} bytes, so the board is on it`);

  const { name, bytes } = await download(person, "jsonl");
  assert.equal(name, `alesia-murus-${id}.jsonl`);
  await person.open("/analyse");
  await person.page.locator("#load-file").setInputFiles({ name, mimeType: "text/plain", buffer: bytes });
  await person.atPly(0);
  await person.sees(person.page.locator(".analyse-title p"), "Black wins: home row reached");
  assert.equal(await person.page.locator(".line-moves .line-move").count(), MURUS.length);
});

scene("a game of Lines of Action is taken home as SGF, also in Italian, and can be analysed", async (stage) => {
  const person = await stage.person({ locale: "it-IT" });
  const { page } = person;
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", moves: LOA.slice(0, 4), white: { ...ME, name: "Ada" }, black: ME });
  await person.takeSeats(id, tokens);
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.sees(person.status(), "Vince il Nero: il Bianco ha abbandonato");
  // A server that is gone is named in the words of the page, not of the browser.
  stage.announce(/record/);
  await page.route("**/record*", (route) => route.abort(), { times: 1 });
  await person.action("download").locator("summary").click();
  await page.locator('[data-download="sgf"]').click();
  await person.sees(page.locator("#error-text"), "Il server non risponde.");
  const { name, bytes } = await download(person, "sgf");
  assert.equal(name, `alesia-loa-${id}.sgf`);
  assert.match(String(bytes), /^\(;FF\[4\].*GM\[9\].*PB\[Ada\].*RE\[W\+\]\n;B\[b8-b6\];W\[h3-f5\]/);
  await person.open("/analyse");
  await page.locator("#load-file").setInputFiles({ name, mimeType: "text/plain", buffer: bytes });
  await person.atPly(0);
  assert.equal(await page.locator(".line-moves .line-move").count(), 4);
});

scene("of a game that was broken off only its picture is offered", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id } = await post(person.address, "/api/games", { game: "loa", white: ME, black: ME });
  const result = { winner: null, reason: "stopped", text: "No result (stopped)", decided: false };
  const game = JSON.stringify({ ...(await gameOf(person.address, id)), result, phase: "over" });
  await page.route("**/api/games/*/events", (route) => route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\nevent: game\ndata: ${game}\n\n` }));
  await person.open(`/game/${id}`);
  await person.action("download").locator("summary").click();
  await page.locator('[data-download="png"]').waitFor();
  const kinds = page.locator("[data-download]:visible");
  assert.deepEqual(await kinds.evaluateAll((all) => all.map(({ dataset }) => dataset.download)), ["svg", "png"]);
});

longScene("the thoughts of one's opponent are veiled until they are asked for, and shown after the game", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  // Long enough for a value of each move on a busy machine.
  const { id, tokens } = await post(person.address, "/api/games", { game: "murus", white: ME, black: { ...ENGINE, ms: 1000 } });
  await person.takeSeats(id, tokens);
  // The engine knows two values after its second move: a graph.
  await person.choose({ from: "G4", to: "E6" });
  await person.atPly(2);
  await person.choose({ from: "G1", to: "E1" });
  await person.atPly(4);
  const figures = [page.locator(".eval-bar"), page.locator('[data-thought="black"]'), page.locator(".thoughts .graph")];
  for (const figure of figures) assert.equal(await figure.isVisible(), false);
  await page.getByRole("switch", { name: "Show what the engine thinks" }).check();
  for (const figure of figures) await figure.waitFor();
  assert.match(await page.getByRole("meter", { name: "Value of the position" }).getAttribute("aria-valuetext"), /^White \d+ %$/);

  // The graph steps; the choice is remembered.
  await page.getByRole("slider", { name: "Value graph" }).focus();
  await page.keyboard.press("Home");
  await person.atPly(0);
  await page.reload();
  await figures[1].waitFor();
  await page.getByRole("switch", { name: "Show what the engine thinks" }).uncheck();
  await figures[1].waitFor({ state: "hidden" });
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.seesResult();
  for (const figure of figures) await figure.waitFor();
  assert.equal(await person.action("thoughts").isVisible(), false, "there is nothing to hide any more");
});

scene("a game of two engines is watched with its bar and its graph", async (stage) => {
  const person = await stage.person();
  const { id } = await post(person.address, "/api/games", { game: "hadron4", white: ENGINE, black: { ...ENGINE, engine: "alphabeta" } });
  await person.open(`/game/${id}`);
  await person.page.locator(".thoughts .graph").waitFor();
  await person.seesResult();
  const { result } = await gameOf(person.address, id);
  const meter = person.page.getByRole("meter", { name: "Value of the position" });
  assert.equal(await meter.getAttribute("aria-valuenow"), result.winner === "white" ? "100" : "0");
});

scene("at the end of a game box, bar and graph say the same, and before it the box has its own value", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id } = await post(person.address, "/api/games", { game: "hadron3", white: ENGINE, black: ENGINE });
  await person.open(`/game/${id}`);
  const { result, moves } = await person.seesResult();
  const worth = result.winner === "white" ? "100 %" : "0 %";
  const boxes = page.locator(".thought .value-text");
  await boxes.first().waitFor();
  for (const text of await boxes.allTextContents()) assert.ok(text.endsWith(`White ${worth}`), text);
  const meter = page.getByRole("meter", { name: "Value of the position" });
  assert.equal(await meter.getAttribute("aria-valuetext"), `White ${worth}`);
  const graph = page.getByRole("slider", { name: "Value graph" });
  assert.ok((await graph.getAttribute("aria-valuetext")).includes(worth));
  await page.locator('[data-step="back"]').click();
  await person.atPly(moves.length - 1);
  const { report } = moves[moves.length - 2];
  const before = page.locator(`[data-thought="${moves[moves.length - 2].side}"] .value-text`);
  if (report.value !== null) await person.sees(before, `White ${Math.round(report.value * 100)} %`);
});

scene("a double click makes one game", async (stage) => {
  const person = await stage.person();
  await person.open("/");
  let made = 0;
  person.page.on("request", (request) => (made += request.method() === "POST" && request.url().endsWith("/api/games")));
  await person.page.locator('[data-quick="hadron"]').dblclick();
  await person.board().waitFor();
  assert.equal(made, 1);
});

scene("a question mark shows the keys, and an address that names nothing says so", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/");
  await page.getByRole("heading", { name: "Play", exact: true }).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await person.sees(dialog, "the variations of a move");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // A dialog goes with its view.
  await page.getByRole("link", { name: "Analyse", exact: true }).click();
  await page.waitForURL("**/analyse");
  await page.keyboard.press("?");
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Your name" }).pressSequentially("Who?");
  assert.equal(await dialog.count(), 0, "a person is writing");

  stage.announce(/404.*\/elsewhere$/);
  stage.announce(/\/elsewhere 404$/);
  await person.open("/elsewhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await person.sees(page.locator(".missing"), "/elsewhere");
});

scene("a review shows the better move as an arrow beside the one played, and says it in view", async (stage) => {
  const person = await stage.person({ viewport: { width: 1366, height: 768 } });
  const { page } = person;
  await person.open(`/analyse?game=murus&moves=${MURUS.join("+")}&ply=15`);
  await person.atPly(15);
  await page.getByLabel("Per position").selectOption("100");
  await page.getByRole("button", { name: "Review the game" }).click();
  await person.board().locator(".arrow.better").waitFor();
  await person.sees(person.board().locator(".arrow.played .arrow-text"), "??");
  const note = page.locator(".analyse-better");
  await person.sees(note, "Better:");
  const box = await note.boundingBox();
  assert.ok(box.y + box.height <= 768, `it ends at ${box.y + box.height}`);
  await page.getByRole("table", { name: "Mistakes by side" }).waitFor();
  const steps = await page.locator(".steps-main").boundingBox();
  assert.ok(steps.y + steps.height <= 768, `the steps end at ${steps.y + steps.height}`);
  await page.keyboard.press("Home");
  await person.atPly(0);
  assert.equal(await person.board().locator(".arrow.played").count(), 0);
});

scene("a move that was never read shows no figures", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const shape = { from: "G4", to: "E6", also: "F5", kind: "distribute", promotion: null };
  const top = [
    { ...shape, move: "G4,NE", visits: 12, value: 0.5, prior: 0.3, proof: null },
    { ...shape, move: "G4,N", to: "E4", also: "F4", visits: 0, value: 0.5, prior: 0.2, proof: null },
  ];
  const report = { value: 0.5, depth: 1, nodes: 12, ms: 1, per_second: null, proof: null, pv: [], top: [], only: false };
  const body = `event: report\ndata: ${JSON.stringify({ report, best: top[0], top, pv: [], done: false })}\n\n`;
  await page.route("**/api/analyses/*/events", (route) => route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\n${body}` }));
  await person.open("/analyse?game=murus&ply=0");
  await page.getByRole("switch", { name: "Analyse" }).check();
  const row = (k) => page.locator(".live-top tbody tr").nth(k).locator("td");
  await person.sees(row(0).first(), "12");
  assert.deepEqual(await row(1).allTextContents(), ["–", "–", "–", ""]);
  assert.equal(await person.board().locator(".arrow-body").count(), 1);
});

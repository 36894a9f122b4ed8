// What is to be understood at a glance: who is ahead, which move would be played and why, whose
// fault a move was; and names, links and switches that can be read on a phone.

import assert from "node:assert/strict";
import { gameOf, post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const ME = { kind: "me" };
const ENGINE = { kind: "engine", engine: "mcts", ms: 100 };
const PHONE = { viewport: { width: 360, height: 740 }, locale: "it-IT" };
const REPORT = { value: 0.34, depth: 4, nodes: 900, ms: 10, per_second: 9000, proof: null, pv: [], top: [], only: false };

/** All streams of a kind have this one event. */
const answer = (page, path, event, data) =>
  page.route(path, (route) => route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n` }));

/** A live analysis of Lines of Action that reports these moves, the best first. */
async function analysis(person, top, pv = []) {
  const { page } = person;
  const { now } = await post(person.address, "/api/positions", { game: "loa", moves: [] });
  const shape = (text) => now.legal.find(({ move }) => move === text);
  const entries = top.map(({ move, ...rest }) => ({ prior: 0.1, proof: null, ...rest, ...shape(move) }));
  await answer(page, "**/api/analyses/*/events", "report", { report: REPORT, best: entries[0], top: entries, pv, done: false });
  await person.open("/analyse?game=loa&moves=&ply=0");
  await page.getByRole("switch", { name: "Analyse" }).check();
  await person.board().locator(".arrow-body").first().waitFor();
}

/** The pairs of elements that share a part of the screen. */
const overlapping = (elements) =>
  elements.evaluateAll((all) => {
    const boxes = all.map((element) => element.getBoundingClientRect());
    const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    return boxes.flatMap((box, k) => boxes.slice(k + 1).filter((other) => meet(box, other))).length;
  });

longScene("the bar says the share of the side that is ahead, at its end, and is as high as the cells", async (stage) => {
  const person = await stage.person();
  await analysis(person, [{ move: "B8-B6", visits: 900, value: 0.34 }]);
  const bar = person.page.locator(".eval-bar");
  assert.equal(await bar.locator(".eval-figure").textContent(), "66");
  const [whole, figure] = [await bar.boundingBox(), await bar.locator(".eval-figure").boundingBox()];
  assert.ok(figure.y + figure.height < whole.y + whole.height / 2, "Black's end is above");
  const [first, last] = [await person.cell("A8").boundingBox(), await person.cell("A1").boundingBox()];
  assert.ok(Math.abs(whole.y - first.y) <= 2 && Math.abs(whole.y + whole.height - last.y - last.height) <= 2, JSON.stringify([whole, first, last]));
});

scene("there is no graph before there are two values to join", async (stage) => {
  const person = await stage.person();
  const record = { seed: 7, pair: 0, leg: 0, game: "loa", white: "Ada", black: "Bob", opening: [] };
  const of = (moves) => ({ ...record, moves, result: "1-0", cause: "reported", reason: "Black resigned" });
  for (const [moves, shown] of [[[{ move: "B8-B6" }], false], [[{ move: "B8-B6", value: 0.6 }], true]]) {
    await person.open("/analyse");
    await person.page.locator("#load-text").fill(JSON.stringify(of(moves)));
    await person.page.locator(".load-paste button[type=submit]").click();
    await person.atPly(0);
    assert.equal(await person.page.locator(".graph").isVisible(), shown);
  }
});

scene("labels of arrows never cover one another, and the move to be played has a colour of its own", async (stage) => {
  const person = await stage.person();
  // All three meet near B6 and D6.
  await analysis(person, [
    { move: "D8-D6", visits: 300, value: 0.41 },
    { move: "C8-C6", visits: 1100, value: 0.4 },
    { move: "B8-D6", visits: 800, value: 0.39 },
    { move: "B8-B6", visits: 0, value: 0.5 },
  ]);
  const labels = person.board().locator(".arrow-plate");
  assert.equal(await labels.count(), 3);
  assert.equal(await overlapping(labels), 0);
  const colours = await person.board().locator(".arrow-body").evaluateAll((all) => all.map((body) => [body.parentElement.classList.contains("best"), getComputedStyle(body).fill]));
  const best = colours.filter(([isBest]) => isBest);
  assert.equal(best.length, 1);
  assert.ok(colours.every(([isBest, fill]) => isBest || fill !== best[0][1]), JSON.stringify(colours));
  // The width is that of the visits, also of the best.
  const widths = await person.board().locator(".arrow-body").evaluateAll((all) =>
    all.map((body) => [body.parentElement.classList.contains("best"), Math.abs(body.points[0].y)]),
  );
  assert.ok(widths.find(([isBest]) => isBest)[1] < Math.max(...widths.map(([, width]) => width)));
  await person.sees(person.page.locator(".live-why"), "D8-D6 is played, though C8-C6 has more visits");
});

scene("no reason is given for a move that has the most visits", async (stage) => {
  const person = await stage.person();
  await analysis(person, [{ move: "D8-D6", visits: 300, value: 0.41 }, { move: "C8-C6", visits: 30, value: 0.4 }]);
  assert.equal(await person.page.locator(".live-why").isVisible(), false);
});

longScene("the line of the candidate that is pointed at is drawn, move by move", async (stage) => {
  const person = await stage.person();
  const { moves } = await post(person.address, "/api/positions", { game: "loa", moves: ["D8-D6", "H3-F5", "C8-C6"] });
  await analysis(person, [{ move: "D8-D6", visits: 300, value: 0.41 }, { move: "C8-C6", visits: 30, value: 0.4 }], moves);
  const rows = person.page.locator(".live-top tbody tr");
  const labels = () => person.board().locator(".arrow-text").allTextContents();
  assert.deepEqual(await labels(), ["41 %", "40 %"]);
  await rows.first().hover();
  assert.deepEqual(await labels(), ["1", "2", "3"]);
  // Of the other a short search finds one; here it has the answer of the first.
  await rows.nth(1).hover();
  assert.equal((await labels())[0], "1");
  await person.board().locator(".arrow-text").filter({ hasText: "4" }).waitFor();
  await person.page.mouse.move(0, 0);
  assert.deepEqual(await labels(), ["41 %", "40 %"]);
});

/** A game of two engines as its stream has it after these moves, with Black thinking. */
async function watched(person, top, pv) {
  const { id } = await post(person.address, "/api/games", { game: "loa", moves: ["B8-B6"], white: ME, black: ME });
  const game = await gameOf(person.address, id);
  const seats = Object.fromEntries(["white", "black"].map((side) => [side, { kind: "engine", engine: "mcts", name: side, ms: 1000 }]));
  const own = { ...REPORT, pv: ["B8-B6"], top: [{ move: "B8-B6", visits: 9, value: 0.5, prior: 0.1, proof: null }] };
  const state = { ...game, seats, moves: game.moves.map((move) => ({ ...move, ms: 9, report: own })) };
  const report = { ...REPORT, pv, top };
  const events = [["game", state], ["thinking", { side: "black", report }]].map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  await person.page.route("**/api/games/*/events", (route) => route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\n${events.join("")}` }));
  await person.open(`/game/${id}`);
  await person.atPly(1);
}

scene("while one watches, the board has the arrows of the engine, and of a line that is pointed at", async (stage) => {
  const person = await stage.person();
  const top = ["H3-F5", "A3-C5"].map((move, k) => ({ move, visits: 100 - k, value: 0.3, prior: 0.1, proof: null }));
  await watched(person, top, ["H3-F5", "F8-F5"]);
  const arrows = person.board().locator(".arrow-body");
  await arrows.nth(1).waitFor();
  assert.equal(await person.board().locator(".arrow.best .arrow-body").count(), 1);
  const rows = person.page.locator('[data-thought="black"] .weighed-row');
  await rows.first().hover();
  await person.board().locator(".arrow-text").filter({ hasText: "2" }).waitFor();
  await person.page.mouse.move(0, 0);
  await person.sees(person.board().locator(".arrow-text"), "30 %");
  // What White thought before its move is drawn in the position in which it thought.
  await person.page.locator('[data-thought="white"] .weighed-row').first().hover();
  await person.atPly(0);
  await person.page.mouse.move(0, 0);
  await person.atPly(1);
});

scene("who plays sees the engine's arrows only with its thoughts", async (stage) => {
  const person = await stage.person();
  const slow = { ...ENGINE, ms: 3000 };
  const { id, tokens } = await post(person.address, "/api/games", { game: "murus", white: ME, black: slow });
  await person.takeSeats(id, tokens);
  await person.choose({ from: "G4", to: "E6" });
  await person.atPly(1);
  await person.page.getByRole("switch", { name: "Show what the engine thinks" }).check();
  await person.board().locator(".arrow.best").first().waitFor();
  await person.page.getByRole("switch", { name: "Show what the engine thinks" }).uncheck();
  assert.equal(await person.board().locator(".arrow").count(), 0);
});

scene("a position in which the game is over has a value and no thoughts", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id } = await post(person.address, "/api/games", { game: "hadron3", white: ENGINE, black: ENGINE });
  await person.open(`/game/${id}`);
  await person.seesResult();
  const thought = page.locator(".thought:visible").first();
  await person.sees(thought, "The game is over in this position.");
  assert.equal(await page.locator(".weighed-row:visible").count(), 0);
  assert.equal(await person.board().locator(".arrow").count(), 0);
  await page.locator('[data-step="first"]').click();
  await page.locator('[data-step="on"]').click();
  await page.locator(".facts:visible").first().waitFor();
});

scene("in a variation that ends the game the bar has its result", async (stage) => {
  const person = await stage.person();
  await person.open("/analyse?game=hadron1x1&moves=&ply=0");
  await person.choose({ to: "A1" });
  await person.atPly(1);
  const meter = person.page.getByRole("meter", { name: "Value of the position" });
  await person.page.waitForFunction(() => document.querySelector(".eval-bar").getAttribute("aria-valuetext") === "White 100 %");
  await meter.waitFor();
});

scene("moves that were drawn by lot stay nobody's fault, also from a game that is watched and after a reload", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id, tokens } = await post(person.address, "/api/games", { game: "loa", moves: ["B8-B6"], white: ME, black: ME });
  const { version } = await gameOf(person.address, id);
  await post(person.address, `/api/games/${id}/move`, { token: tokens.black, ply: 1, version, move: "H3-F5" });
  await person.open(`/analyse?id=${id}`);
  await person.atPly(2);
  await page.waitForURL(/opening=1/);
  await page.reload();
  await person.atPly(2);
  const [request] = await Promise.all([page.waitForRequest("**/api/reviews"), page.getByRole("button", { name: "Review the game" }).click()]);
  assert.equal(request.postDataJSON().opening, 1);
});

const zero = { points: 0, played: 9, won: 0, drawn: 0, lost: 0, home: 0, away: 0, late: 0, illegal: 0, crashed: 0 };
const NAMES = ["Montecarlo Torino", "Alfabeta", "Vercingetorige"];
const GAMES = NAMES.map((name, k) => ({ white: name, black: NAMES[(k + 1) % 3], result: "1-0", reason: "no legal move", plies: 9, id: `g${k}`, opening: "B8-B6" }));
const CUP = { title: "Cup", game: "loa", played: 3, of: 6, groups: [{ number: 1, rows: NAMES.map((name, k) => ({ ...zero, rank: k + 1, name })) }], games: GAMES };
const PLAYER = { points: 2.5, games: 4, elo: 35, error: 80, won: 2, drawn: 1, lost: 1, late: 0, illegal: 0, crashed: 0 };
const MATCH = { ...CUP, kind: "match", players: NAMES.slice(0, 2).map((name, k) => ({ ...PLAYER, rank: k + 1, name })), pairs: [0, 1, 1, 0, 0], first: NAMES[0], sprt: null, void: false };

for (const [what, standing] of [["a tournament", CUP], ["a match", MATCH]]) {
  scene(`on a phone the names of ${what} can be read, and the navigation is whole`, async (stage) => {
    const person = await stage.person(PHONE);
    const { page } = person;
    await answer(page, "**/api/standings/events", "standings", standing);
    await person.open("/standings");
    const names = page.locator("tbody .name-cell");
    await names.nth(4).waitFor();
    for (const cell of await names.all()) {
      const name = await cell.textContent();
      const height = await cell.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight);
      });
      assert.ok(height <= 2.2, `${name}: ${height} lines`);
    }
    await page.locator("#nav-standings").waitFor();
    const nav = await page.locator("header nav").evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.ok(nav[0] <= nav[1], `the links need ${nav[0]} of ${nav[1]} pixels`);
  });
}

scene("a switch keeps its size where its label wraps", async (stage) => {
  const person = await stage.person({ viewport: { width: 900, height: 800 }, locale: "it-IT" });
  const { id, tokens } = await post(person.address, "/api/games", { game: "murus", white: ME, black: ENGINE });
  await person.takeSeats(id, tokens);
  const size = await person.action("thoughts").boundingBox();
  assert.deepEqual([Math.round(size.width), Math.round(size.height)], [46, 26]);
});

scene("of a level's move that was drawn by lot that is said, and its arrow is the one that was played", async (stage) => {
  const person = await stage.person();
  const top = ["B8-B6", "D8-D6"].map((move, k) => ({ move, visits: 20 - k, value: 0.5, prior: 0.1, proof: null }));
  const { id } = await post(person.address, "/api/games", { game: "loa", moves: ["D8-D6"], white: ME, black: ME });
  const game = await gameOf(person.address, id);
  game.seats.white = { kind: "engine", engine: "recruit", name: "Recruit", ms: 1000 };
  game.moves[0] = { ...game.moves[0], ms: 9, report: { ...REPORT, pv: ["B8-B6"], top } };
  await answer(person.page, "**/api/games/*/events", "game", game);
  await person.open(`/game/${id}`);
  await person.sees(person.page.locator('[data-thought="white"] .thought-why'), "D8-D6 was drawn by lot");
  await person.page.locator('[data-step="back"]').click();
  await person.board().locator(".arrow-body").nth(1).waitFor();
  // The label of the best move: 50 % for both, but only the played one is marked.
  assert.equal(await person.board().locator(".arrow.best .arrow-body").count(), 1);
  const start = await person.cell("D8").boundingBox();
  const arrow = await person.board().locator(".arrow.best .arrow-body").boundingBox();
  assert.ok(Math.abs(arrow.x + arrow.width / 2 - start.x - start.width / 2) < start.width / 2, "it begins at D8");
});

scene("a candidate that was never the best has a line too, by a search that ends with the pointer's rest", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/analyse?game=loa&moves=&ply=0");
  await page.locator("#live-time").selectOption("1000");
  await page.getByRole("switch", { name: "Analyse" }).check();
  await page.getByText(/^Done\. Best move/).waitFor();
  // The last of them may have been the best for a moment, and then its line is known.
  const rows = await page.locator(".live-top tbody tr:visible").all();
  let [asked, move] = [null, null];
  while (!asked && rows.length > 1) {
    const row = rows.pop();
    move = await row.locator("button").textContent();
    const search = page.waitForRequest(/\/api\/analyses$/, { timeout: 5000 }).catch(() => null);
    [asked] = await Promise.all([search, row.hover()]);
  }
  assert.deepEqual(asked?.postDataJSON().moves, [move]);
  await person.board().locator(".arrow-text").filter({ hasText: "2" }).waitFor();
});

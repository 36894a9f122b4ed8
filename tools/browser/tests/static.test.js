// The page as files alone: it plays, analyses and teaches with the engine in the browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { pageFile } from "../support/sources.js";
import { missing, startSite } from "../support/site.js";
import { quick, scene, within } from "../support/stage.js";

const site = missing ? null : await startSite();
after(() => site?.end());
const GAMES = ["murus", "hadron", "loa", "voidrider"];

const staticScene = (name, body) => scene(name, body, { skip: missing || (quick && "a long scene") });

async function visitor(stage, options = {}) {
  const person = await stage.person({ address: site.address, locale: "en-GB", ...options });
  person.page.setDefaultTimeout(30_000);
  // A lost worker is ended as a browser would, without a word.
  await person.page.addInitScript(() => {
    const Real = window.Worker;
    window.workers = [];
    window.Worker = class extends Real {
      constructor(...args) {
        super(...args);
        window.workers.push(this);
      }
    };
  });
  return person;
}

/** Starts a game against an opponent by the form. */
async function begin(person, wishes, workers = 1) {
  await person.open(`/?new&workers=${workers}`);
  const form = person.page.locator("#new-game");
  for (const [name, value] of Object.entries(wishes)) await form.locator(`[name="${name}"]`).selectOption(String(value));
  await form.locator("button[type=submit]").click();
  await person.board().waitFor();
}

/** Plays any legal move: a movable piece and a target of it, or an empty cell. */
async function playAny(person) {
  const { page } = person;
  const ply = await person.ply();
  const movable = person.board().locator(".movable");
  const placing = person.board().locator("[data-target]");
  await movable.or(placing).first().waitFor();
  if (await movable.count()) await movable.first().click();
  await placing.first().waitFor();
  await placing.first().click();
  await page.waitForFunction((before) => Number(document.querySelector("svg.board").dataset.ply) > before, ply);
}

for (const game of GAMES) {
  staticScene(`a move of ${game} is answered, taken back and analysed`, async (stage) => {
    const person = await visitor(stage);
    const { page } = person;
    await person.open("/");
    await page.locator(`[data-quick="${game}"]`).click();
    await person.board().waitFor();
    await playAny(person);
    await person.atPly(2);
    await person.action("undo").click();
    await person.atPly(0);
    await person.action("hint").click();
    await page.locator("svg.board .arrow, svg.board [data-arrow]").first().waitFor();
    await person.action("analyse").click();
    await page.locator("#live-on").check();
    await page.locator(".live-top tbody tr:visible").first().waitFor();
    await page.locator(".live-variation li:visible button").first().click();
    await person.atPly(1);
    await page.locator(".live-top tbody tr:visible").first().waitFor();
  });
}

staticScene("a whole game is played, kept, reviewed and taken home", async (stage) => {
  const person = await visitor(stage);
  const { page } = person;
  await begin(person, { family: "hadron", rows: 4, columns: 4, white: "me", black: "recruit" });
  while (!(await page.locator("[data-status].over").count())) {
    await playAny(person);
    await page.waitForFunction(() => document.querySelector("[data-status].over") || document.querySelector("svg.board [data-target]"));
  }
  await page.reload();
  await page.locator("[data-status].over").waitFor();
  await person.action("download").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator('[data-download="pgn"]').click()]);
  assert.match(file.suggestedFilename(), /\.pgn$/);
  await person.action("analyse").click();
  await page.locator(".review-start, .review button").first().click();
  await page.locator(".review-summary:visible").first().waitFor();
});

staticScene("a move that loses much is named, and can be taken back", async (stage) => {
  const person = await visitor(stage);
  await person.open("/?new&game=hadron4&moves=B2+C1+D3+A3");
  await person.page.locator(".origin .mini").waitFor();
  await person.page.locator("#new-game button[type=submit]").click();
  await person.board().waitFor();
  await person.action("teach").click();
  await person.choose({ to: "A1" });
  await person.sees(person.page.locator('[data-bar="teach"]'), "A1 ?? blunder");
  await person.action("teach-undo").click();
  await person.atPly(4);
  await person.page.locator('[data-bar="teach"]').waitFor({ state: "hidden" });
});

staticScene("a clock, a flag that falls, the opening book and a game with notes need no server", async (stage) => {
  const person = await visitor(stage);
  const { page } = person;
  await begin(person, { family: "murus", white: "me", black: "me", minutes: 1, seconds: 2 });
  await page.locator('.plate[data-side="black"] .clock-total').filter({ hasText: "1:00" }).waitFor();
  await playAny(person);
  await page.clock.install();
  await page.reload();
  await person.atPly(1);
  await page.clock.fastForward(70_000);
  await person.sees(person.status(), "White wins: Black ran out of time");

  await person.open("/?at=/analyse&game=loa&moves=");
  await page.locator(".book-moves button").first().click();
  await person.atPly(1);
  await page.getByRole("button", { name: "good move" }).click();
  await page.locator('[data-action="download"] summary').click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator('[data-download="sgf"]').click()]);
  assert.match(readFileSync(await file.path(), "utf8"), /;B\[\w\d-\w\d\]TE\[1\]/);
});

for (const workers of [1, 2]) {
  staticScene(`${workers} lost workers are replaced, in a game and in an analysis`, async (stage) => {
    const person = await visitor(stage);
    const { page } = person;
    await begin(person, { family: "loa", white: "me", black: "mcts", blackMs: 3000 }, workers);
    const kill = () => page.evaluate(() => window.workers.splice(0).forEach((worker) => worker.terminate()));
    await playAny(person);
    // It has begun to think.
    await page.locator("[data-action=thoughts]").check();
    await page.locator(".thought.thinking").waitFor();
    await kill();
    await person.atPly(2);
    await person.action("analyse").click();
    await page.locator("#live-on").check();
    const nodes = page.locator('[data-fact="nodes"]');
    await nodes.waitFor();
    await kill();
    await page.waitForFunction(() => window.workers.length > 0);
    const before = await nodes.textContent();
    await page.waitForFunction((text) => document.querySelector('[data-fact="nodes"]').textContent !== text, before);
  });
}

staticScene("a lesson, the rules, a definition, records and a board in another page need no server", async (stage) => {
  const person = await visitor(stage);
  const { page } = person;
  const [step] = JSON.parse(pageFile("lesson-hadron.json")).steps;
  await person.open("/?at=/learn/hadron");
  await person.choose({ to: step.solution[0] });
  await page.locator(".learn-said").filter({ hasText: step.en.done.slice(0, 20) }).or(page.locator('.learn-said[data-phase="done"]')).first().waitFor();
  await person.action("guide").click();
  await page.getByRole("dialog").locator("svg, .mini").first().waitFor();
  await page.getByRole("dialog").locator(".guide-links a").first().click();
  await person.board().waitFor();

  await person.open("/?at=/analyse");
  await page.locator("#load-text").fill("[tiny:gardner]\n");
  await page.locator(".load-paste button[type=submit]").click();
  await person.board().waitFor();
  await page.locator("#live-on").check();
  await page.locator(".live-top tbody tr:visible").first().waitFor();
  await person.open("/?at=/analyse");
  await page.locator("#load-text").fill("1. e4 e5 2. Nf3");
  await page.locator(".load-paste button[type=submit]").click();
  await person.sees(page.locator("h1"), "Chess");

  await person.open("/?game=murus&moves=G4,NE+A2,S&ply=2&embed");
  await person.atPly(2);
  assert.equal(await page.locator("header").first().isVisible(), false);
  await playAny(person);
  await page.waitForURL("**embed**");
});

staticScene("after the first load nothing is asked of a server", async (stage) => {
  const own = await startSite();
  const person = await visitor(stage);
  const { page } = person;
  person.address = own.address;
  await begin(person, { family: "murus", white: "me", black: "recruit" });
  const kept = page.evaluate(async (names) => {
    for (const name of names) {
      while (!(await caches.match(`engine/${name}.bin`))) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, GAMES);
  await within("the files are kept", kept);
  own.end();
  await playAny(person);
  await person.atPly(2);
  await page.reload();
  await person.atPly(2);
  await begin(person, { family: "voidrider", white: "me", black: "recruit" });
  await playAny(person);
  await person.atPly(2);
});

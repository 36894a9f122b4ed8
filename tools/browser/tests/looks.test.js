// Every view at phone, tablet and desk, light and dark: nothing wider than the screen, no text cut
// off, and nothing that axe-core holds against it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOA, MURUS, VOIDRIDER } from "../support/games.js";
import { openMatch } from "../support/match.js";
import { pageOf, start } from "../support/programs.js";
import { post } from "../support/server.js";
import { longScene, quick, scene, within } from "../support/stage.js";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const WIDTHS = [360, 800, 1366, 1440];
// An audit takes seconds: each width and each colour scheme once, or all of them together.
const audited = quick
  ? (width, colorScheme) => width === (colorScheme === "light" ? 360 : 1440)
  : (width) => width === 360 || width === 1440;
const TWO = { white: { kind: "me" }, black: { kind: "me" } };
const LONG = { kind: "me", name: "AnExtraordinarilyLongNameWithoutAnyBlank" };

/** Texts in the page that are cut off: in boxes that hide what is too wide, and the choices of lists. */
function cutOff() {
  const pen = document.createElement("canvas").getContext("2d");
  const isCut = (element) => {
    const style = getComputedStyle(element);
    if (element.tagName === "SELECT") {
      pen.font = style.font;
      // The browser's arrow is about as wide as the text is high.
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - parseFloat(style.fontSize);
      return element.selectedOptions.length > 0 && pen.measureText(element.selectedOptions[0].text).width > room + 1;
    }
    return ["hidden", "clip"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
  };
  const seen = (element) => element.clientWidth > 1 && element.checkVisibility({ visibilityProperty: true }) && !element.closest("svg, .unseen, textarea");
  const all = [...document.querySelectorAll("body *")].filter((element) => element.textContent.trim() && seen(element) && isCut(element));
  return all.map((element) => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`);
}

/** Looks at the view that is open in all sizes and colours. */
async function assertGood(person, what) {
  const { page } = person;
  for (const colorScheme of ["light", "dark"]) {
    await within(`${what}, ${colorScheme}`, page.emulateMedia({ colorScheme, reducedMotion: "reduce" }));
    for (const width of WIDTHS) {
      const view = `${what}, ${width} px, ${colorScheme}`;
      const look = (script) => within(view, page.evaluate(script));
      await within(view, page.setViewportSize({ width, height: 800 }));
      const wide = await look(async () => {
        // What follows the width by itself, as the graph does, has done so after two frames. On a
        // machine with much to do the browser may draw none until something asks for one.
        const second = () => new Promise((done) => setTimeout(done, 1000));
        for (let frame = 0; frame < 2; frame++) await Promise.race([new Promise(requestAnimationFrame), second()]);
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      assert.ok(wide <= 0, `${view}: ${wide} px too wide`);
      assert.deepEqual(await look(cutOff), [], `${view}: cut off`);
      if (!audited(width, colorScheme)) continue;
      const { violations } = await look(() => globalThis.axe.run({ preload: false }));
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`);
      assert.deepEqual(found, [], view);
    }
  }
}

/** axe-core puts styles into the page for a moment, which its policy for content does not allow. */
async function looker(stage, options) {
  const person = await stage.person({ bypassCSP: true, ...options });
  await person.page.context().addInitScript({ path: AXE });
  return person;
}

/** A game after these moves, with a piece selected. */
async function opened(person, wishes, piece) {
  const { id, tokens } = await post(person.address, "/api/games", wishes);
  await person.takeSeats(id, tokens);
  if (piece) {
    await person.cell(piece).click();
    await person.board().locator("[data-target]").first().waitFor();
  }
}

const GAMES = [
  ["Murus Gallicus", { game: "murus", moves: MURUS.slice(0, 12), ...TWO }, "F5"],
  ["Hadron", { game: "hadron", moves: ["E5", "A1"], ...TWO }, null],
  ["Lines of Action", { game: "loa", moves: LOA.slice(0, 8), ...TWO }, "F5"],
  ["Voidrider Chess", { game: "voidrider", moves: VOIDRIDER.slice(0, 12), ...TWO }, "a2"],
];

for (const [what, wishes, piece] of GAMES) {
  longScene(`a game of ${what}`, async (stage) => {
    const person = await looker(stage);
    await opened(person, wishes, piece);
    await assertGood(person, what);
  });
}

longScene("the lobby and the form", async (stage) => {
  const person = await looker(stage);
  await post(person.address, "/api/games", { game: "hadron", white: LONG, black: { kind: "open" } });
  await post(person.address, "/api/games", { game: "voidrider", white: { kind: "me" }, black: { kind: "engine", engine: "random", ms: 100 } });
  await person.open("/");
  await person.page.locator(".card").nth(1).waitFor();
  await assertGood(person, "the lobby");
  await person.open("/?new");
  await person.page.locator("#new-game").waitFor();
  // The longest choice of a seat.
  await person.page.locator('[name="white"]').selectOption("open");
  // Two people may have a clock.
  await person.page.locator('[name="black"]').selectOption("me");
  await person.page.locator('[name="minutes"]').selectOption("30");
  await assertGood(person, "the form");
});

scene("a task of a lesson, and a wrong move", async (stage) => {
  const person = await looker(stage);
  const { page } = person;
  await person.open("/learn/murus?step=2");
  await person.choose({ from: "G1", to: "E1" });
  await page.locator('.learn-said[data-phase="wrong"]').waitFor();
  await assertGood(person, "a wrong move in a lesson");
});

longScene("a lesson's end, and a game from a position, in Italian", async (stage) => {
  const person = await looker(stage, { locale: "it-IT" });
  const { page } = person;
  await person.open("/learn/voidrider?step=7");
  await person.choose({ from: "b4", to: "b8" });
  await person.action("next").click();
  await assertGood(person, "the end of a lesson");
  await person.open(`/?new&game=murus&moves=${MURUS.slice(0, 12).join("+")}`);
  await page.locator(".origin .mini").waitFor();
  await assertGood(person, "a game from a position");
});

longScene("a game that waits, a request to undo, a question, a hint, a message, a result, no game", async (stage) => {
  const person = await looker(stage);
  const { page } = person;
  await opened(person, { game: "murus", white: LONG, black: { kind: "open" } });
  await page.locator('[data-bar="link"]').waitFor();
  await assertGood(person, "a game that waits");

  await post(person.address, `/api/games/${person.id}/join`, { name: "Bob" });
  await person.play({ from: "G4", to: "E6" });
  await person.action("undo").click();
  await page.locator('[data-bar="undo"]').waitFor();
  await assertGood(person, "a request to undo");

  await person.action("resign").click();
  await assertGood(person, "a question");
  await person.action("resign-yes").click();
  await person.seesResult();
  await person.action("download").locator("summary").click();
  await assertGood(person, "a result, and what can be taken home");

  await opened(person, { game: "murus", ...TWO });
  await person.action("hint").click();
  await person.board().locator(".arrow-body").waitFor();
  await assertGood(person, "a hint");

  stage.announce(/(\/events 404|404.*\/events$)/);
  await person.open("/game/none");
  await page.getByRole("heading", { name: "Game not found" }).waitFor();
  await assertGood(person, "no game");
});

longScene("the rules and the keys", async (stage) => {
  const person = await looker(stage);
  await opened(person, { game: "hadron", ...TWO });
  await person.action("guide").click();
  await person.page.getByRole("dialog", { name: "Rules" }).getByRole("heading").first().waitFor();
  await assertGood(person, "the rules");
  await person.page.keyboard.press("Escape");
  await person.page.keyboard.press("?");
  await person.page.getByRole("dialog", { name: "Keys" }).waitFor();
  await assertGood(person, "the keys");
});

longScene("the views in Italian", async (stage) => {
  const person = await looker(stage, { locale: "it-IT" });
  await opened(person, { game: "voidrider", white: { kind: "me" }, black: { kind: "engine", engine: "mcts", ms: 100 } });
  await assertGood(person, "a game in Italian");
  const engine = { kind: "engine", engine: "mcts", ms: 100 };
  const over = await post(person.address, "/api/games", { game: "hadron3", white: engine, black: { ...engine, engine: "alphabeta" } });
  await person.open(`/game/${over.id}`);
  await person.page.locator("[data-status].over").waitFor();
  await assertGood(person, "a game of two engines that is over, in Italian");
  await person.open("/?new");
  await person.page.locator("#new-game").waitFor();
  await assertGood(person, "the form in Italian");
  await person.open(`/analyse?game=murus&moves=${MURUS.join("+")}&ply=12`);
  await person.atPly(12);
  await assertGood(person, "the analysis in Italian");
});

longScene("a chess variant, its definition with an error, and its rules, in Italian", async (stage) => {
  const person = await looker(stage, { locale: "it-IT" });
  const { page } = person;
  await opened(person, { game: "variant:voidrider", ...TWO }, "b3");
  await assertGood(person, "a chess variant");
  await person.action("guide").click();
  await page.getByRole("dialog", { name: "Regole" }).getByRole("heading").first().waitFor();
  await assertGood(person, "the rules of a variant");
  await person.open("/?new");
  await page.locator('[name="family"]').selectOption("variant");
  await page.locator('[name="variant"]').selectOption("variant:extinction");
  await assertGood(person, "the choice of a variant");
  await page.locator('[name="variant"]').selectOption("own");
  await page.locator('[name="definition"]').fill("[mine:chess]\nbishop = --\n");
  await page.locator(".definition-mark").waitFor();
  await assertGood(person, "a definition with an error");
});

longScene("the promotion", async (stage) => {
  const person = await looker(stage);
  const board = "#.###.#/.P...k./#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#V###V# w 0 - 0";
  await opened(person, { game: "voidrider", board, ...TWO });
  await person.choose({ from: "b8", to: "b9" });
  await person.page.getByRole("dialog").waitFor();
  await assertGood(person, "the promotion");
});

longScene("engines that think", async (stage) => {
  const person = await looker(stage);
  const seat = { kind: "engine", engine: "mcts", ms: 10000 };
  await opened(person, { game: "loa", white: seat, black: seat });
  await person.page.locator('[data-thought="white"]').waitFor();
  await assertGood(person, "engines that think");
});

longScene("a projector's view of a game", async (stage) => {
  const person = await looker(stage);
  const { page } = person;
  const { id } = await post(person.address, "/api/games", { game: "murus", moves: MURUS.slice(0, 12), white: LONG, black: LONG });
  const lobby = { games: [{ id, game: "murus", plies: 12, phase: "playing", result: null }], standings: false };
  await page.route("**/api/lobby/events", (route) => route.fulfill({ contentType: "text/event-stream", body: `retry: 3600000\nevent: lobby\ndata: ${JSON.stringify(lobby)}\n\n` }));
  await person.open("/show");
  await person.atPly(12);
  await assertGood(person, "a projector's view");
});

longScene("the analysis", async (stage) => {
  const person = await looker(stage);
  const { page } = person;
  await person.open("/analyse");
  await page.getByText("Load a game", { exact: true }).waitFor();
  await assertGood(person, "the empty analysis");

  await person.open(`/analyse?game=murus&moves=${MURUS.join("+")}&ply=12`);
  await person.atPly(12);
  await person.play({ from: "G2", to: "E2" });
  await page.locator(".line-variation").waitFor();
  await page.getByLabel("Per position").selectOption("100");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.getByRole("table", { name: "Mistakes by side" }).waitFor();
  await page.getByRole("button", { name: "Review the game" }).waitFor();
  await page.locator(".line-moves > .line-move[class*=' ']").first().click();
  await page.locator("#live-time").selectOption("1000");
  await page.getByRole("switch", { name: "Analyse" }).check();
  await page.getByText(/^Done\. Best move/).waitFor();
  await assertGood(person, "the analysis");
});

longScene("the board editor, in Italian", async (stage) => {
  const person = await looker(stage, { locale: "it-IT" });
  await person.open("/analyse?edit&game=variant:amazon");
  await person.action("here").waitFor();
  await assertGood(person, "the board editor");
});

longScene("the page of a match, in Italian", async (stage) => {
  const person = await looker(stage, { locale: "it-IT" });
  await openMatch(person, 12);
  await assertGood(person, "the page of a match");
});

longScene("the standings", async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), "alesia-browser-"));
  const players = ["Alesia", "Alpha-beta with a long name", "Chance", "Luck"];
  const file = join(folder, "cup.toml");
  const each = "[each]\nst = 0.3\noption = { threads = 1, memory = \"4MiB\" }\n";
  writeFileSync(file, `title = "Spring cup"\ngame = "hadron7"\nconcurrency = 2\ngroups = 2\n${each}${players.map((name) => `[[player]]\nname = "${name}"\n`).join("")}`);
  // The browser is there first: a tournament without visitors ends with its last game.
  const person = await looker(stage);
  const cup = start("alesia-lab", ["tournament", file, "--board", "0"]);
  stage.cleanUp(async () => {
    await cup.stop();
    rmSync(folder, { recursive: true });
  });
  person.address = await pageOf(cup);
  await person.open("/standings");
  await person.page.getByText(/^All \d+ games have been played/).waitFor();
  await assertGood(person, "the standings");
});

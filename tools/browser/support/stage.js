// Where the tests play: one browser and one server for each file, a fresh profile for each person.
//
// A scene fails if a page logged an error or a warning, threw, or had a request that failed, unless
// the scene announced it; and if something announced did not come.

import assert from "node:assert/strict";
import { accessSync, constants, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { Person } from "./person.js";
import { startBoard } from "./programs.js";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Long enough for a machine that does other things too; nothing waits so long where all is well. */
const PATIENCE = 60_000;

/** The first of these that is there; the one without a window does the same with a third less work. */
const PROGRAMS = ["chromium-headless-shell", "chromium"];

function program() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = process.env.PATH.split(delimiter);
  const found = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error("found no Chromium in the PATH; expected Debian's package chromium-headless-shell or chromium, or CHROMIUM=PROGRAM");
  return found;
}

let browser = null;
let board = null;
after(async () => {
  await (await browser)?.close();
  await (await board)?.program.stop();
});

/** The browser of this file. */
function theBrowser() {
  browser ??= chromium.launch({ executablePath: program(), args: ARGUMENTS, headless: true });
  return browser;
}

/** The address of this file's server. */
export async function theBoard() {
  board ??= startBoard();
  return (await board).address;
}

class Stage {
  #contexts = [];
  #troubles = [];
  #announced = [];
  #cleaning = [];

  /** A person with a browser profile of their own; `options` are those of a browser context. */
  async person({ address, ...options } = {}) {
    const context = await (await theBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE);
    this.#contexts.push(context);
    context.on("page", (page) => this.#watch(page));
    return new Person(await context.newPage(), address ?? (await theBoard()));
  }

  /** A second tab of the same person. */
  async tab(person) {
    return new Person(await person.page.context().newPage(), person.address);
  }

  /** Says that a trouble with this text is meant to come. */
  announce(pattern) {
    this.#announced.push({ pattern, met: false });
  }

  /** Runs something after the scene, also if it fails. */
  cleanUp(action) {
    this.#cleaning.push(action);
  }

  #watch(page) {
    const note = (text) => {
      const awaited = this.#announced.find(({ pattern }) => pattern.test(text));
      if (awaited) awaited.met = true;
      else this.#troubles.push(text);
    };
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) note(`console: ${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => note(`page error: ${error.stack}`));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText;
      // A person who leaves a page waits neither for its pending requests nor for its events, nor
      // for the answer to its last words or to a question about a position.
      const left = request.method() === "GET" || /\/(stop|api\/positions)$/.test(request.url());
      if (reason === "net::ERR_ABORTED" && left) return;
      note(`request failed: ${request.url()} ${reason}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) note(`response: ${response.url()} ${response.status()}`);
    });
  }

  check() {
    assert.deepEqual(this.#troubles, [], "what the browser complained about");
    const missing = this.#announced.filter(({ met }) => !met).map(({ pattern }) => String(pattern));
    assert.deepEqual(missing, [], "announced, but never came");
  }

  /** Keeps pictures of all pages, to see why a scene failed. */
  async keepPictures() {
    const folder = mkdtempSync(join(tmpdir(), "alesia-browser-"));
    let number = 0;
    for (const page of this.#contexts.flatMap((context) => context.pages())) {
      await page.screenshot({ path: join(folder, `${++number}.png`), timeout: 10_000 }).catch(() => {});
    }
    return folder;
  }

  async end() {
    for (const context of this.#contexts) await context.close();
    for (const action of this.#cleaning) await action();
  }
}

/** Waits for something without a limit of its own, such as a script in a page; fails after a while. */
export async function within(what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing after ${PATIENCE / 1000} s`)), PATIENCE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether to leave out what CI has no time for; nightly.sh runs everything. */
export const quick = Boolean(process.env.QUICK);

/** A scene that CI leaves to nightly.sh, as it takes five seconds or more where CI runs. */
export function longScene(name, body) {
  scene(name, body, { skip: quick && "a long scene" });
}

/** One behaviour of the page: a named test whose body gets a stage. */
export function scene(name, body, options = {}) {
  test(name, { timeout: 4 * PATIENCE, ...options }, async (t) => {
    const stage = new Stage();
    try {
      await body(stage);
      stage.check();
    } catch (error) {
      t.diagnostic(`pictures of the pages: ${await stage.keepPictures()}`);
      throw error;
    } finally {
      await stage.end();
    }
  });
}

// The words of the page: two dictionaries with the same keys, nothing outside them, Italian by the
// browser's language or by choice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MURUS, VOIDRIDER } from "../support/games.js";
import { post } from "../support/server.js";
import { dictionaries, literals, pageFile, scripts, serverSentences } from "../support/sources.js";
import { scene } from "../support/stage.js";

const ME = { kind: "me" };
const forms = (entry) => (typeof entry === "string" ? { "": entry } : entry);
const named = (text) => [...text.matchAll(/\{(\w*)\}/g)].map((match) => match[1]).sort();

test("both languages have the same keys, plurals and values", async () => {
  const { en, it } = await dictionaries();
  assert.deepEqual(Object.keys(it.texts).sort(), Object.keys(en.texts).sort());
  for (const [key, entry] of Object.entries(en.texts)) {
    const [ours, theirs] = [forms(entry), forms(it.texts[key])];
    assert.deepEqual(Object.keys(theirs), Object.keys(ours), key);
    for (const form of Object.keys(ours)) assert.deepEqual(named(theirs[form]), named(ours[form]), key);
  }
});

test("every key is there, and every key is used", async () => {
  const { en } = await dictionaries();
  const source = [...scripts().map(({ text }) => text), pageFile("index.html")].join("\n");
  const asked = [...source.matchAll(/\bt\("([^"]+)"|data-(?:text|label)="([^"]+)"/g)].map((match) => match[1] ?? match[2]);
  for (const key of asked) assert.ok(key in en.texts, `no text for ${key}`);
  // Some keys are put together: `kind.${move.kind}`.
  const begins = [...source.matchAll(/\bt\(`([\w.]+)\$\{/g), ...source.matchAll(/key = `([\w.]+)\$\{/g)].map((match) => match[1]);
  const used = (key) => source.includes(`"${key}"`) || begins.some((begin) => key.startsWith(begin));
  assert.deepEqual(Object.keys(en.texts).filter((key) => !used(key)), []);
});

test("no text stands in a script or in the page's file", () => {
  // A word with a capital, or two words; names of keys, classes and the like look otherwise.
  const allowed = /^(Arrow(Left|Right|Up|Down)|Home|End|Enter|Escape|Tab|Delete|PageUp|PageDown|Files|Alesia|English|Italiano|Red)$/;
  for (const { name, text } of scripts()) {
    for (const { text: literal, before } of literals(text)) {
      if (allowed.test(literal.trim()) || /(class(Name)?["]?[:=]? |import .*from |no text for |querySelector\w*\(|throw new )/.test(`${before}${literal}`)) continue;
      if (/html\("code"|closest|matchMedia|viewBox|transform|setAttribute\("class"|classList|svg\(|\bd: |path\(|points/.test(before)) continue;
      const words = literal.replace(/ – Alesia/, "");
      assert.ok(!/(^|[^\w-])[A-Z][a-z]{2,}/.test(words) && !/[a-z]{3,} [a-z]{3,}/.test(words), `${name}: ${before}"${literal}"`);
    }
  }
  const body = pageFile("index.html").split("<body>")[1].replace(/<noscript>.*<\/noscript>/, "").replace(/<[^>]*>/g, " ");
  assert.deepEqual(body.match(/[A-Za-z]{2,}/g), ["Alesia"]);
  for (const name of ["index.html", "closed.html"]) assert.match(pageFile(name), /lang="it"/, `${name}: both languages without a script`);
});

test("every sentence of the server has an Italian one", async () => {
  const { it } = await dictionaries();
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const patterns = Object.keys(it.phrases).map((phrase) => new RegExp(`^${phrase.split("{}").map(escaped).join("(.+?)")}$`));
  const sentences = serverSentences();
  assert.ok(sentences.length > 50, `${sentences.length} found`);
  const missing = sentences.filter((sentence) => /[a-z]{2}/.test(sentence) && !patterns.some((pattern) => pattern.test(sentence)));
  assert.deepEqual(missing, []);
  for (const [phrase, text] of Object.entries(it.phrases)) {
    assert.equal(named(text).length, named(phrase).length, phrase);
  }
});

scene("a browser that prefers Italian gets Italian, and a choice is remembered", async (stage) => {
  const person = await stage.person({ locale: "it-IT" });
  const { page } = person;
  await person.open("/");
  await page.getByRole("heading", { name: "Gioca", exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "it");
  // Each phrase is translated as itself, not by a more general phrase.
  const wrong = await page.evaluate(async () => {
    const [{ fromServer }, { phrases }] = await Promise.all([import("/page/language.js"), import("/page/it.js")]);
    const right = (text) => text.replace(/\{\d?\}/g, "7");
    return Object.keys(phrases).filter((phrase) => fromServer(phrase.replaceAll("{}", "7")) !== right(phrases[phrase]));
  });
  assert.deepEqual(wrong, []);
  await person.startGame({ family: "murus", white: "me", black: "me" });
  await person.sees(person.status(), "Muove il Bianco");
  await person.sees(page.locator(".legend"), "Muove il Bianco: scegli una torre.");
  assert.equal(await person.cell("G4").getAttribute("aria-label"), "G4, torre bianca, può muovere");
  stage.announce(/\/move 422/);
  stage.announce(/console: Failed to load resource.*422.*\/move$/);
  await page.route("**/move", (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), move: "A1,S" }) }));
  await person.choose({ from: "G4", to: "E4" });
  await person.sees(page.locator("#error-text"), "Mossa: trovato `A1,S`, atteso una mossa permessa (il Bianco) come");
  await page.unroute("**/move");

  await page.getByLabel("Lingua").selectOption("en");
  await person.sees(person.status(), "White to move");
  await page.reload();
  await person.sees(person.status(), "White to move");
  assert.equal(await page.getByLabel("Language").inputValue(), "en");
  await page.getByLabel("Language").selectOption("it");
  await person.action("resign").click();
  await person.action("resign-yes").click();
  await person.sees(person.status(), "Vince il Nero: il Bianco ha abbandonato");
});

scene("in Voidrider Chess Black is Red wherever a side is named", async (stage) => {
  const person = await stage.person({ locale: "en-GB" });
  const { page } = person;
  const { id, tokens } = await post(person.address, "/api/games", { game: "voidrider", moves: VOIDRIDER.slice(0, 1), white: ME, black: ME });
  await person.takeSeats(id, tokens);
  stage.announce(/\/move 422/);
  stage.announce(/console: Failed to load resource.*422.*\/move$/);
  await page.route("**/move", (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), move: "a1-a9" }) }));
  await person.choose({ from: "f7", to: "f6" });
  await person.sees(page.locator("#error-text"), "expected a legal move of Red such as");
  await page.unroute("**/move");
  await person.action("resign").click();
  await person.sees(page.getByRole("dialog"), "Red resigns?");
  await person.action("resign-yes").click();
  await person.sees(person.status(), "White wins: Red resigned");
  await person.sees(page.locator("#polite"), "White wins: Red resigned.");
  await person.action("analyse").click();
  await person.sees(page.locator(".analyse-title p"), "White wins: Red resigned");
  await person.open("/");
  await person.sees(page.locator(`[data-game-id="${id}"] .card-state`), "White wins: Red resigned");
  await page.getByLabel("Language").selectOption("it");
  await person.sees(page.locator(`[data-game-id="${id}"] .card-state`), "Vince il Bianco: il Rosso ha abbandonato");
});

scene("every reason that names a side names it as its game does", async (stage) => {
  const { it } = await dictionaries();
  const reasons = Object.keys(it.phrases).filter((phrase) => /^\{\} [a-z]/.test(phrase)).map((phrase) => phrase.replaceAll("{}", "Black"));
  assert.ok(reasons.some((reason) => reason.startsWith("Black loses on time")) && reasons.length > 8, reasons.join("\n"));
  for (const [locale, black, red] of [["en-GB", "Black", "Red"], ["it-IT", "Nero", "Rosso"]]) {
    const person = await stage.person({ locale });
    await person.open("/");
    const texts = await person.page.evaluate(async (all) => {
      const { resultText } = await import("/page/words.js");
      return all.map((reason) => ["hadron5", "voidrider"].map((game) => resultText(game, `Black (${reason})`)));
    }, reasons);
    for (const [hadron, voidrider] of texts) {
      assert.ok(hadron.includes(black) && !hadron.includes(red), hadron);
      assert.ok(voidrider.includes(red) && !voidrider.includes(black), voidrider);
    }
  }
});

test("no script translates a result without its game", () => {
  for (const { name, text } of scripts()) {
    const wrong = text.match(/fromServer\([^()]*(reason|result|message)[^()]*\)/);
    assert.equal(wrong, null, `${name}: ${wrong?.[0]}`);
  }
});

scene("names of engines are translated, those of people are not", async (stage) => {
  const person = await stage.person({ locale: "it-IT" });
  await person.open("/");
  const names = ["unknown", "Random moves", "Monte Carlo, 1 s", "Alpha-beta, 0.3 s", "Bob, Black", "engine", "move 3", "Rook at a1"];
  const shown = await person.page.evaluate(async (all) => {
    const { seatName } = await import("/page/words.js");
    return all.map((name) => seatName("loa", "white", name));
  }, names);
  assert.deepEqual(shown, ["sconosciuto", "Mosse a caso", "Monte Carlo, 1 s", "Alfa-beta, 0.3 s", ...names.slice(4)]);
});

scene("another language than these two gets English", async (stage) => {
  const person = await stage.person({ locale: "de-DE" });
  await person.open("/");
  await person.page.getByRole("heading", { name: "Play", exact: true }).waitFor();
});

/** What a person can read on the page, without what stands between « and ». */
function outside() {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!parentElement.closest("script, style, noscript, #language")) texts.push(textContent);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]")) {
    for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"]) texts.push(element.getAttribute(name) ?? "");
  }
  const bare = (text) => {
    const next = text.replace(/«[^«»]*»/g, " ");
    return next === text ? text : bare(next);
  };
  const names = /Murus Gallicus|Hadron|Lines of Action|Voidrider Chess|Alesia|Ada|Bob/g;
  return texts.map((text) => bare(text).replace(names, "")).filter((text) => /\p{L}{3,}/u.test(text));
}

scene("nothing on the page stands outside of the dictionary", async (stage) => {
  // A language whose every text is marked.
  const { en, it } = await dictionaries();
  const marked = (text) => `«${text}»`;
  const each = (entry) => (typeof entry === "string" ? marked(entry) : Object.fromEntries(Object.entries(entry).map(([form, text]) => [form, marked(text)])));
  const map = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
  const dictionary = { texts: map(en.texts, each), names: map(it.names, marked), phrases: map(it.phrases, marked) };
  const body = Object.entries(dictionary).map(([name, entries]) => `export const ${name} = ${JSON.stringify(entries)};`).join(" ");
  const person = await stage.person({ locale: "it-IT" });
  const { page } = person;
  await page.route("**/page/it.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
  const check = async (what) => assert.deepEqual(await page.evaluate(outside), [], what);

  const engine = { kind: "engine", engine: "mcts", ms: 300 };
  const { id } = await post(person.address, "/api/games", { game: "hadron3", white: engine, black: { ...engine, engine: "alphabeta" } });
  await person.open(`/game/${id}`);
  await page.locator("[data-status].over").waitFor();
  await check("a game of two engines");
  const two = await post(person.address, "/api/games", { game: "murus", moves: MURUS.slice(0, 4), white: { kind: "me", name: "Ada" }, black: ME });
  await person.takeSeats(two.id, two.tokens);
  await person.cell("G7").or(person.board().locator(".movable").first()).first().click();
  await check("a game that is played");
  await post(person.address, "/api/games", { game: "loa", white: ME, black: { kind: "open" } });
  await person.open("/?new");
  await page.locator(".card").nth(2).waitFor();
  await check("the lobby");
  await person.open(`/analyse?game=murus&moves=${MURUS.join("+")}&ply=16`);
  await person.atPly(16);
  await page.locator("#review-time").selectOption("100");
  await page.locator(".review-choices button").click();
  await page.locator(".review-summary table").waitFor();
  await page.locator(".review-choices button").waitFor();
  await page.locator(".line-moves > .line-move[class*=' ']").first().click();
  await page.locator("#live-time").selectOption("1000");
  await page.locator("#live-on").check();
  await page.locator(".live-top tbody tr").first().waitFor();
  await check("the analysis");
  stage.announce(/(\/events 404|404.*\/events$)/);
  await person.open("/game/none");
  await page.locator(".missing").waitFor();
  await check("no game");
});

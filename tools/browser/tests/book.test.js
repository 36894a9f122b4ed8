// The opening book: its moves are shown wherever it knows the position, in the analysis and where a
// game begins from a position.

import assert from "node:assert/strict";
import { post } from "../support/server.js";
import { scene } from "../support/stage.js";

scene("the analysis shows the moves of the book, and a click plays them as long as it knows the position", async (stage) => {
  for (const [locale, width, colorScheme] of [["en-GB", 1366, "light"], ["it-IT", 360, "dark"]]) {
    const person = await stage.person({ locale, colorScheme, viewport: { width, height: 768 } });
    const { page } = person;
    await person.open("/analyse?game=murus");
    const book = page.locator(".book-moves");
    await person.sees(book, locale === "it-IT" ? "Libro delle aperture" : "Opening book");
    const known = (await post(person.address, "/api/positions", { game: "murus", moves: [] })).book;
    assert.deepEqual(await book.locator("button").allTextContents(), known.map(({ move }) => move));
    await person.sees(book.locator("li").first(), `${Math.round(known[0].value * 100)} %`);
    await book.locator("button").first().click();
    await person.atPly(1);
    const next = (await post(person.address, "/api/positions", { game: "murus", moves: [known[0].move] })).book;
    await person.sees(book.locator("button").first(), next[0].move);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide at ${width}`);

    // Out of the book there is no list.
    await person.open("/analyse?game=murus&moves=G1,N+A8,S+G2,N&ply=3");
    await person.atPly(3);
    await page.locator(".line-moves .line-move").first().waitFor();
    await book.waitFor({ state: "hidden" });
  }
});

scene("where a game begins from a position of the book, its moves are named", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { book } = await post(person.address, "/api/positions", { game: "loa", moves: [] });
  await person.open(`/?new&game=loa&moves=`);
  await person.sees(page.locator(".origin"), "Opening book: ");
  await person.sees(page.locator(".origin"), book[0].move);
  await person.open(`/?new&game=hadron4&moves=A1`);
  await page.locator(".origin .mini").waitFor();
  assert.equal(await page.locator(".origin").filter({ hasText: "Opening book" }).count(), 0);
});

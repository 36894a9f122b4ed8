// Comments and marks that a person writes to moves of an analysis: in the list, kept by the page,
// and in PGN and SGF, which give them back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { scene } from "../support/stage.js";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const ADDRESS = "/analyse?game=loa&moves=B1-D3+A2-C2+D1-D4&ply=1";

/** The text of a file that a click downloads. */
async function download({ page, ...person }, kind) {
  await page.locator('[data-action="download"] summary').click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-download="${kind}"]`).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

scene("a mark and a comment stand in the list, survive a reload, and come back from PGN and SGF", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open(ADDRESS);
  await person.atPly(1);
  await page.getByRole("button", { name: "interesting move" }).click();
  await page.getByLabel("Comment on this move").fill("A bold [try]; see {below}");
  const listed = page.locator(".line-moves .line-move");
  await person.sees(listed.first(), "!? A bold [try]");
  await page.keyboard.press("Tab");
  await page.locator('[aria-label^="One move forward"]').click();
  await person.atPly(2);
  assert.equal(await page.getByLabel("Comment on this move").inputValue(), "", "of another move");
  await page.getByRole("button", { name: "blunder" }).click();
  await person.sees(listed.nth(1), "A2-C2??");
  await page.locator('[aria-label^="One move back"]').click();
  await person.atPly(1);
  // A mark and a comment that was left are kept at once, the step after a moment.
  await page.waitForURL(/ply=1/);
  await page.reload();
  await person.atPly(1);
  await person.sees(listed.first(), "!? A bold [try]");
  assert.equal(await page.getByRole("button", { name: "interesting move" }).getAttribute("aria-pressed"), "true");

  const pgn = await download(person, "pgn");
  assert.equal(pgn.name, "alesia-loa.pgn");
  assert.match(pgn.text, /1\. B1-D3 \$5 \{A bold \[try\]; see \|below\|\} A2-C2\s\$4 2\. D1-D4 \{not finished\} \*/);
  const sgf = await download(person, "sgf");
  assert.match(sgf.text, /;B\[b1-d3\]IT\[\]C\[A bold \[try\\\]; see \{below\}\];W\[a2-c2\]BM\[2\];B\[d1-d4\]/);
  for (const { name, text } of [pgn, sgf]) {
    await person.open("/analyse");
    await page.locator("#load-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await person.atPly(0);
    await person.sees(listed.first(), "!? A bold [try]; see");
    await person.sees(listed.nth(1), "A2-C2??");
    assert.equal(await listed.nth(2).locator(".line-note").count(), 0, name);
  }
});

scene("notes are written on phone and desk, light and dark, in Italian; the same mark again takes it away", async (stage) => {
  for (const [width, colorScheme] of [[360, "dark"], [1366, "light"], [1920, "dark"]]) {
    const person = await stage.person({ locale: "it-IT", colorScheme, bypassCSP: true, viewport: { width, height: 768 } });
    const { page } = person;
    await person.open(ADDRESS);
    await page.addScriptTag({ path: AXE });
    await person.atPly(1);
    const mark = page.getByRole("button", { name: "mossa interessante" });
    await mark.click();
    await page.getByLabel("Commento a questa mossa").fill("UnaParolaMoltoLungaSenzaSpaziCheNonFinisceMaiDavveroMai e altro");
    const note = page.locator(".line-moves .line-note");
    await person.sees(note, "!? UnaParola");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide at ${width}`);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`), [], `${width} px`);
    await page.getByLabel("Commento a questa mossa").fill("");
    await mark.click();
    await note.waitFor({ state: "detached" });
  }
});

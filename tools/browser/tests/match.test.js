// The curves of a match over its games: Elo with its error, and the test between its bounds.

import assert from "node:assert/strict";
import { openMatch } from "../support/match.js";
import { scene } from "../support/stage.js";

scene("the curves say how a match stood after any number of games, by mouse and by keys", async (stage) => {
  for (const [locale, width, elo, point, llr] of [
    ["en-GB", 1366, "Elo over the games", /^22 games · Tree \+30 ± 36 Elo$/, "22 games · LLR 0.60"],
    ["it-IT", 360, "Elo nel corso delle partite", /^22 partite · Tree \+30 ± 36 Elo$/, "22 partite · LLR 0,60"],
  ]) {
    const person = await stage.person({ locale, viewport: { width, height: 740 } });
    const { page } = person;
    await openMatch(person, 12);
    const captions = page.locator(".match-curves .graph-caption");
    await person.sees(captions.first(), /^24 /);
    const slider = page.getByRole("slider", { name: elo });
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    // Both curves are looked at together.
    assert.match(await slider.getAttribute("aria-valuetext"), point);
    assert.deepEqual((await captions.allTextContents())[1], llr);
    assert.equal(await page.locator(".match-curves .graph-band").count(), 1);
    // The first pairs say too little of Elo.
    await page.keyboard.press("Home");
    await person.sees(captions.first(), /^2 .* –/);
  }
});

// Browsers that store nothing: access that is forbidden, and a store that is full.

import assert from "node:assert/strict";
import { scene } from "../support/stage.js";

/** Each is run in the page before its own scripts. */
const STORES = {
  "access is forbidden": () => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("access is denied", "SecurityError");
      },
    });
  },
  "the store is full": () => {
    Storage.prototype.setItem = () => {
      throw new DOMException("it is full", "QuotaExceededError");
    };
  },
  "what is stored is not from this page": () => {
    for (const key of ["alesia-theme", "alesia-new-game", "alesia-analysis"]) localStorage.setItem(key, "{[");
  },
};

for (const [name, disturb] of Object.entries(STORES)) {
  scene(`everything works where ${name}`, async (stage) => {
    const person = await stage.person({ colorScheme: "light" });
    await person.page.addInitScript(disturb);
    await person.startGame({ family: "murus", white: "me", black: "me", name: "Ada" });
    // The seat is known without a store.
    await person.play({ from: "G4", to: "E6" });
    await person.page.getByLabel("Colours").selectOption("dark");
    assert.equal(await person.page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await person.action("analyse").click();
    await person.page.locator("#live-on").check();
    await person.page.locator("#live-engine").selectOption("alphabeta");
    await person.page.locator(".line-move:visible").first().waitFor();
    await person.page.goBack();
    await person.atPly(1);
    await person.action("resign").waitFor();
  });
}

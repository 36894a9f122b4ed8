// Many tabs of one browser, which has six connections to a server for all of them.

import { gameOf, post } from "../support/server.js";
import { longScene } from "../support/stage.js";

const TWO = { white: { kind: "me" }, black: { kind: "me" } };

longScene("eight tabs show one game, and it is played in the first and watched in the last", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", white: "me", black: "me" });
  const tabs = [];
  for (let number = 2; number <= 8; number++) {
    const tab = await stage.tab(person);
    await tab.open(`/game/${person.id}`);
    await tab.atPly(0);
    tabs.push(tab);
  }
  await person.page.bringToFront();
  await person.play({ from: "B8", to: "B6" });
  await person.play({ from: "H3", to: "F5" });
  // The last still listens; the first of the others catches up as soon as it is used.
  await tabs.at(-1).atPly(2);
  await tabs[0].page.getByText("This page is paused").waitFor();
  await tabs[0].board().hover();
  await tabs[0].atPly(2);
  await tabs[0].play({ from: "B6", to: "B8" });
  await person.atPly(3);
});

longScene("eight tabs show eight games, and each can be played", async (stage) => {
  const person = await stage.person();
  const tabs = [person];
  while (tabs.length < 8) tabs.push(await stage.tab(person));
  for (const tab of tabs) {
    const { id, tokens } = await post(person.address, "/api/games", { game: "hadron", ...TWO });
    await tab.takeSeats(id, tokens);
  }
  for (const tab of tabs) {
    await tab.page.bringToFront();
    await tab.board().hover({ position: { x: 2, y: 2 } });
    await tab.play({ to: "E5" });
  }
});

longScene("a tab listens again when the others are closed", async (stage) => {
  const person = await stage.person();
  await person.startGame({ family: "loa", white: "me", black: "me" });
  const others = [];
  for (let number = 0; number < 4; number++) {
    const tab = await stage.tab(person);
    await tab.open("/");
    await tab.page.locator(".card").first().waitFor();
    others.push(tab);
  }
  const note = person.page.getByText("This page is paused");
  await note.waitFor();
  await others.pop().page.close({ runBeforeUnload: true });
  await note.waitFor({ state: "hidden" });
  const { now } = await gameOf(person.address, person.id);
  await person.sees(person.status(), now.side === "white" ? "White to move" : "Black to move");
});

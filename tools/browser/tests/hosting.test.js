// Where the page is and for how long: below a path of a proxy, over a restart, how others get in.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBoard } from "../support/programs.js";
import { gameOf, post } from "../support/server.js";
import { longScene, scene } from "../support/stage.js";

const ME = { kind: "me" };

/** A proxy that shows a server below a path, and nothing else; `cut` cuts the path off. */
async function proxyTo(address, base, cut) {
  const server = createServer((asked, answer) => {
    if (!asked.url.startsWith(`${base}/`)) return answer.writeHead(502).end();
    const path = cut ? asked.url.slice(base.length) : asked.url;
    const passed = request(`${address}${path}`, { method: asked.method, headers: asked.headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}${base}` };
}

longScene("everything works below a path of a proxy", async (stage) => {
  const { program, address } = await startBoard(0, ["--base", "/club/alesia"]);
  stage.cleanUp(() => program.stop());
  for (const cut of [false, true]) {
    const proxy = await proxyTo(new URL(address).origin, "/club/alesia", cut);
    stage.cleanUp(() => {
      proxy.server.closeAllConnections();
      proxy.server.close();
    });
    const person = await stage.person({ address: proxy.address });
    const { page } = person;
    await person.open("/");
    await page.locator('[data-quick="loa"]').click();
    await page.waitForURL("**/club/alesia/game/*");
    // The first opponent answers at once.
    await person.choose({ from: "B8", to: "B6" });
    await person.atPly(2);
    await page.reload();
    await person.board().waitFor();
    await person.action("analyse").click();
    await page.waitForURL(/\/club\/alesia\/analyse\?/);
    await page.locator(".line-moves .line-move").first().waitFor();
    await page.getByRole("link", { name: "Games", exact: true }).click();
    await page.getByRole("link", { name: /^Continue: / }).first().click();
    await person.board().waitFor();
  }
});

longScene("games outlive a restart of the server, with their seats", async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), "alesia-browser-"));
  stage.cleanUp(() => rmSync(folder, { recursive: true }));
  const first = await startBoard(0, ["--data", folder]);
  const person = await stage.person({ address: first.address });
  await person.startGame({ family: "murus", white: "me", black: "random", blackMs: 100, name: "Ada" });
  await person.choose({ from: "G4", to: "E6" });
  await person.atPly(2);
  const before = await gameOf(person.address, person.id);
  const over = await post(person.address, "/api/games", { game: "loa", white: ME, black: ME });
  await post(person.address, `/api/games/${over.id}/resign`, { token: over.tokens.white });
  const stored = () => readdirSync(folder).filter((name) => name.endsWith(".json")).length;
  // What has been shown is in the files already.
  assert.equal(stored(), 2, "both games are on the disk");

  stage.announce(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/);
  await first.program.stop();
  await person.page.locator("#connection").waitFor();
  const second = await startBoard(Number(new URL(first.address).port), ["--data", folder]);
  stage.cleanUp(() => second.program.stop());
  await person.page.locator("#connection").waitFor({ state: "hidden" });
  const after = await gameOf(person.address, person.id);
  assert.deepEqual(after.moves, before.moves);
  assert.deepEqual(after.seats, before.seats);
  assert.equal((await gameOf(person.address, over.id)).result.text, "Black (White resigned)");
  await person.choose({ from: "G2", to: "E2" });
  await person.atPly(4);
});

scene("an invitation says who can follow it", async (stage) => {
  const local = await stage.person();
  await local.startGame({ family: "loa", white: "me", black: "open" });
  const bar = local.page.locator('[data-bar="link"]');
  await local.sees(bar, "This link works on this machine only");
  await local.sees(bar, "alesia-lab board --bind 0.0.0.0");

  const { program, address } = await startBoard(0, ["--bind", "0.0.0.0", "--token", "0123456789"]);
  stage.cleanUp(() => program.stop());
  const person = await stage.person({ address: `http://127.0.0.1:${new URL(address).port}` });
  await person.open("/?token=0123456789");
  const { reachable } = await person.page.evaluate(() => fetch("/api/rules").then((answer) => answer.json()));
  await person.startGame({ family: "loa", white: "me", black: "open" });
  const link = await person.page.getByRole("textbox", { name: "Link to this game" }).inputValue();
  // A machine without a network has no address for others.
  assert.equal(link, `${reachable ?? person.address}/game/${person.id}?token=0123456789`);
  if (reachable) {
    const code = person.page.getByRole("img", { name: "The link as a QR code" });
    await code.waitFor();
    assert.ok(await code.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)), "it is a picture");
  }
  const drawing = await person.page.evaluate(() => fetch("/api/qr?text=http%3A%2F%2Fa").then((answer) => answer.text()));
  assert.match(drawing, /^<svg .*viewBox="0 0 29 29"/);
});

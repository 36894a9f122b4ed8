// A person before the page: what they click, press and see. Everything waits for what must come,
// never for a time.

import assert from "node:assert/strict";
import { gameOf } from "./server.js";

export class Person {
  constructor(page, address) {
    this.page = page;
    this.address = address;
  }

  async open(path) {
    await this.page.goto(this.address + path);
  }

  /** The game whose page is open. */
  get id() {
    return new URL(this.page.url()).pathname.split("/")[2];
  }

  board() {
    return this.page.locator("svg.board");
  }

  cell(name) {
    return this.board().locator(`[data-cell="${name}"]`);
  }

  action(name) {
    return this.page.locator(`[data-action="${name}"]`);
  }

  status() {
    return this.page.locator("[data-status]");
  }

  /** Waits until an element says something. */
  async sees(locator, text) {
    await locator.filter({ hasText: text }).first().waitFor();
  }

  /** Waits for the position after a number of plies. */
  async atPly(ply) {
    await this.page.locator(`svg.board[data-ply="${ply}"]`).waitFor();
  }

  async ply() {
    return Number(await this.board().getAttribute("data-ply"));
  }

  /** Clicks a piece and then its target, or the cell alone where a stone is placed. */
  async choose({ from, to, promotion }) {
    if (from) {
      await this.board().locator(`[data-cell="${from}"].movable`).waitFor();
      await this.cell(from).click();
      await this.board().locator(`[data-cell="${from}"][aria-selected="true"]`).waitFor();
    }
    await this.board().locator(`[data-cell="${to}"][data-target]`).waitFor();
    await this.cell(to).click();
    if (promotion) await this.page.locator(`dialog [data-promotion="${promotion}"]`).click();
  }

  /** Plays a move and waits for the position after it. */
  async play(move) {
    const ply = await this.ply();
    await this.choose(move);
    await this.page.waitForFunction((before) => Number(document.querySelector("svg.board").dataset.ply) > before, ply);
  }

  /** Starts a game by the form; the wishes are values of its fields, such as {family: "loa"}. */
  async startGame(wishes) {
    await this.open("/?new");
    const form = this.page.locator("#new-game");
    for (const [name, value] of Object.entries(wishes)) {
      const field = form.locator(`[name="${name}"]`);
      if (name === "name") await field.fill(value);
      else await field.selectOption(String(value));
    }
    await form.locator("button[type=submit]").click();
    await this.page.waitForURL("**/game/*");
    await this.board().waitFor();
  }

  /** Opens a game with the seats that were got from the server beforehand. */
  async takeSeats(id, tokens) {
    await this.open("/");
    await this.page.evaluate(([key, held]) => localStorage.setItem(key, held), [`alesia:${id}`, JSON.stringify(tokens)]);
    await this.open(`/game/${id}`);
    await this.board().waitFor();
  }

  /** What the cells say lies on them, as rows of names: [["white tower", …], …]. */
  contents() {
    return this.board().evaluate((board) =>
      [...board.querySelectorAll("[role=row]")].map((row) =>
        [...row.querySelectorAll("[role=gridcell]")].map((cell) => cell.getAttribute("aria-label").split(", ")[1]),
      ),
    );
  }

  /** Waits for the result, and checks that it is the server's. */
  async seesResult() {
    await this.page.locator("[data-status].over").waitFor();
    const game = await gameOf(this.address, this.id);
    assert.ok(game.result, "the server has a result too");
    const loser = game.game.startsWith("voidrider") ? "Red" : "Black";
    const outcome = { white: "White wins", black: `${loser} wins` }[game.result.winner] ?? "Draw";
    const reason = game.result.text.match(/\((.*)\)$/)[1].replace(/\bBlack\b/, loser);
    assert.equal(await this.status().locator("span").first().textContent(), `${outcome}: ${reason}`);
    return game;
  }
}

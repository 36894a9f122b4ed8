// Chess variants: five played to their ends, promotion and castling, and a definition that is
// pasted, mended and played.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { post } from "../support/server.js";
import { longScene, scene, theBoard } from "../support/stage.js";

const ME = { kind: "me" };
const TWO = { white: ME, black: ME };
const RANDOM = { kind: "engine", engine: "random", ms: 100 };

const MINE = `# Los Alamos chess, with flags.
[mine:chess]
maxRank = 6
maxFile = 6
startFen = rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1
bishop = --
promotionPieceTypes = nrq
promotionRegionWhite = *6
promotionRegionBlack = *1
doubleStep = false
castling = false
flagPiece = k
flagRegionWhite = *6
flagRegionBlack = *1

# Its squares move.
[drifting]
maxRank = 5
maxFile = 5
pawn = p
rook = r
king = k
customPiece1 = g:mRcpR
startFen = *rkg*/*ppp*/**2*/*PPP*/*RKG* w - - 0 1
promotionPieceTypes = r
promotionRegionWhite = *5
promotionRegionBlack = *1
doubleStep = false
castling = false
voidMoves = orthogonal
`;

/** Games to their ends, chosen in the form and clicked move by move. */
const PLAYED = [
  ["variant:chess", "f2f3 e7e5 g2g4 d8h4", "Black wins: checkmate"],
  ["variant:kingofthehill", "e2e3 a7a6 e1e2 a6a5 e2d3 a5a4 d3d4", "White wins: flag reached"],
  ["variant:extinction", "e2e4 e7e6 d1g4 d8g5 g4g5", "White wins: extinction"],
  ["variant:breakthrough", "c2c3 g7g6 c3c4 g6g5 c4c5 g5g4 c5c6 h7h6 c6b7 h6h5 b7a8", "White wins: flag reached"],
];

const moveOf = (text) => ({ from: text.slice(0, 2), to: text.slice(2, 4) });

longScene("four variants are played by clicking, to checkmate, flags and extinction", async (stage) => {
  const person = await stage.person();
  for (const [variant, moves, result] of PLAYED) {
    await person.startGame({ family: "variant", variant, white: "me", black: "me" });
    for (const move of moves.split(" ")) await person.play(moveOf(move));
    const end = await person.seesResult();
    assert.equal(end.game, variant);
    await person.sees(person.status(), result);
  }
});

scene("two engines play Los Alamos chess to its end, which is downloaded and analysed", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const { id: watched } = await post(person.address, "/api/games", { game: "variant:losalamos", white: RANDOM, black: RANDOM });
  await person.open(`/game/${watched}`);
  const end = await person.seesResult();
  await person.sees(page.locator(".game-title"), "Los Alamos chess");

  await person.action("download").locator("summary").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator('[data-download="pgn"]').click()]);
  assert.equal(file.suggestedFilename(), `alesia-variant-losalamos-${watched}.pgn`);
  const pgn = readFileSync(await file.path(), "utf8");
  assert.match(pgn, /\[Variant "losalamos"\]/);
  await person.open("/analyse");
  await page.locator("#load-text").fill(pgn);
  await page.locator(".load-paste button[type=submit]").click();
  await person.atPly(0);
  assert.equal(await page.locator(".line-moves .line-move").count(), end.moves.length);
});

scene("a pawn becomes one of the variant's own pieces, and castling moves the rook", async (stage) => {
  const address = await theBoard();
  const begin = (game, board) => post(address, "/api/games", { game, board, ...TWO });
  const person = await stage.person();
  const chess = await begin("variant:chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  await person.takeSeats(chess.id, chess.tokens);
  await person.play(moveOf("e1g1"));
  assert.match(await person.cell("f1").getAttribute("aria-label"), /^f1, White rook/);
  await person.play(moveOf("e8c8"));
  assert.match(await person.cell("d8").getAttribute("aria-label"), /^d8, Black rook/);

  const almost = await begin("variant:almost", "8/1P5k/8/8/8/8/8/K7 w - - 0 1");
  await person.takeSeats(almost.id, almost.tokens);
  await person.choose(moveOf("b7b8"));
  const choices = person.page.locator("dialog [data-promotion]");
  await choices.first().waitFor();
  assert.deepEqual(await choices.allTextContents(), ["Bishop", "Chancellor", "Knight", "Rook"]);
  await person.page.locator('dialog [data-promotion="C"]').click();
  await person.atPly(1);
  assert.match(await person.cell("b8").getAttribute("aria-label"), /^b8, White chancellor/);
});

scene("a pasted definition with an error shows its line, is mended, and is played", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  await person.open("/?new");
  await page.locator('[name="family"]').selectOption("variant");
  await page.locator('[name="variant"]').selectOption("own");
  const [text, problem] = [page.locator('[name="definition"]'), page.locator(".definition-problem")];
  const submit = page.locator("#new-game button[type=submit]");
  await submit.click();
  await person.sees(problem, "There is no definition yet.");
  await text.fill(MINE);
  await person.sees(problem, "Line 6 bishop: found `--`, expected a lower-case letter, or -.");
  const mark = page.locator(".definition-mark");
  await mark.waitFor();
  const line = page.locator(".definition-numbers span").nth(5);
  const [marked, numbered] = [await mark.boundingBox(), await line.boundingBox()];
  assert.ok(Math.abs(marked.y - numbered.y) <= 1, `the mark at ${marked.y}, line 6 at ${numbered.y}`);
  await problem.getByRole("button").click();
  const selected = () => text.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
  assert.equal(await selected(), "bishop = --");
  await text.evaluate((area) => area.setSelectionRange(0, 0));
  await submit.click();
  await page.waitForFunction(() => document.activeElement.name === "definition" && document.activeElement.selectionStart > 0);
  assert.equal(await selected(), "bishop = --", "what is wrong cannot be played");
  await page.keyboard.type("bishop = -");
  await person.sees(problem, "The definition is right: 2 variants.");
  assert.equal(await mark.isVisible(), false);

  await page.locator('[name="white"]').selectOption("me");
  await page.locator('[name="black"]').selectOption("me");
  await page.locator('[name="section"]').selectOption("drifting");
  await submit.click();
  await page.waitForURL("**/game/*");
  await person.sees(page.locator(".game-title"), "Its squares move");
  assert.equal((await person.contents())[0].join(), "void,Black rook,Black king,Black G,void");
  await person.play(moveOf("b2b3"));
  assert.equal((await person.contents())[2].join(), "void,White pawn,empty,empty,void");
  assert.equal((await person.contents())[3].join(), "void,void,White pawn,White pawn,void");
  await person.action("guide").click();
  const rules = page.getByRole("dialog", { name: "Rules" });
  await person.sees(rules, "may go there with its own square");
  await person.sees(rules.locator("pre"), "customPiece1 = g:mRcpR");
  await page.keyboard.press("Escape");
  // The card in the list of games knows the pieces, also in a browser that has not seen the
  // definition.
  const other = await stage.person();
  await other.open("/");
  const card = other.page.locator(`[data-game-id="${person.id}"]`);
  await other.sees(card.locator("h2"), "Its squares move");
  await card.locator(".piece.king").first().waitFor();
});

scene("a definition that is pasted in the analysis begins its variants there", async (stage) => {
  const person = await stage.person();
  const { page } = person;
  const load = async (text) => {
    await page.locator("#load-text").fill(text);
    await page.locator(".load-paste button[type=submit]").click();
  };
  await person.open("/analyse");
  await load(MINE);
  await person.sees(page.locator("#error-text"), "Line 6, bishop: found `--`, expected a lower-case letter, or -.");
  await load(MINE.replace("--", "-"));
  await person.atPly(0);
  await page.getByRole("button", { name: "Next game" }).click();
  await person.sees(page.locator("h1"), "Its squares move");
  await person.play(moveOf("b2b3"));
  await person.sees(page.locator(".line-moves"), /\bb3\b/);
});

scene("cells that win are marked, in Italian too", async (stage) => {
  const person = await stage.person({ locale: "it-IT" });
  const { id, tokens } = await post(person.address, "/api/games", { game: "variant:kingofthehill", ...TWO });
  await person.takeSeats(id, tokens);
  assert.equal(await person.board().locator(".flag").count(), 4);
  assert.match(await person.cell("d4").getAttribute("aria-label"), /^d4, libera, traguardo del Bianco, traguardo del Nero/);
  assert.match(await person.cell("d1").getAttribute("aria-label"), /^d1, donna del Bianco/);
  await person.sees(person.page.locator(".game-title"), "Re della collina");
});

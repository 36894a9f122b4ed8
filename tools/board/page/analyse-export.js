// The game of the analysis as a file, with what is written to its moves: PGN, and SGF where the
// game has it.
//
//   createExport({formats, record, line, fail}) → element
//
// `record()` is {game, board, white, black, opening, result}, `line()` the nodes of the game
// itself.

import { postForFile } from "./api.js";
import { ENDS, save } from "./download.js";
import { t } from "./language.js";
import { html } from "./svg.js";
import { resultOf } from "./words.js";

/** The forms that have a place for notes. */
const FORMS = ["pgn", "sgf"];

export function createExport({ formats, record, line, fail }) {
  /** What POST /api/record takes. */
  function body(format) {
    const { game, board, white, black, opening, result } = record();
    const nodes = line().slice(1);
    const byRule = nodes.at(-1)?.position?.result ?? null;
    const ended = byRule ?? (result && resultOf(result).decided ? { ...resultOf(result), reason: result.match(/\((.*)\)/)?.[1] ?? result } : null);
    const moves = nodes.map(({ move }) => ({ move: move.move, side: move.side, ms: null, report: null }));
    return {
      game,
      board,
      white,
      black,
      date: null,
      opening: moves.slice(0, opening).map(({ move }) => move),
      moves: moves.slice(opening),
      winner: ended?.winner ?? null,
      reason: ended?.reason ?? "",
      by_rule: byRule !== null,
      format,
      notes: nodes.map(({ note }) => note ?? { mark: 0, comment: "" }),
    };
  }

  const entry = (format) => {
    const button = html("button", { type: "button", "data-download": format }, t(`download.${format}`));
    button.addEventListener("click", async () => {
      element.open = false;
      try {
        save(await postForFile("/api/record", body(format)), `alesia-${record().game.replaceAll(":", "-")}.${ENDS[format] ?? format}`);
      } catch (error) {
        fail(error);
      }
    });
    return button;
  };
  const element = html(
    "details",
    { class: "download", "data-action": "download" },
    html("summary", {}, t("download")),
    html("div", {}, ...FORMS.filter((format) => formats.includes(format)).map(entry)),
  );
  return element;
}

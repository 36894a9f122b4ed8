// What can be taken home from a game that is over: its record, in all forms that the game has, and
// a picture of the board.
//
//   createDownload({state, rules, board, fail}) → { element, show(result) }
//
// `state()` is the game as its events have it, `rules` the game's Rules, `board` the box of the
// board on the page. The records come from the server; the pictures are made here.

import { getFile } from "./api.js";
import { t } from "./language.js";
import { html } from "./svg.js";

/** What of a drawing is said by style sheets, and must stand in a picture of its own. */
const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-size", "font-weight", "font-family", "text-anchor",
];

/** Pixels of a picture for one unit of the drawing, whose cells have 100. */
const SCALE = 1.2;

/** The board as a drawing that needs no style sheet: the text of an SVG file. */
export function pictureOf(box) {
  const board = box.querySelector("svg.board");
  const copy = board.cloneNode(true);
  const all = (element) => [element, ...element.querySelectorAll("*")];
  const originals = all(board);
  for (const [k, element] of all(copy).entries()) {
    const style = getComputedStyle(originals[k]);
    for (const { name } of [...element.attributes]) {
      if (/^(class|role|tabindex|aria-|data-)/.test(name)) element.removeAttribute(name);
    }
    for (const look of LOOKS) element.setAttribute(look, style.getPropertyValue(look));
  }
  const [x, y, width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", Math.round(width * SCALE));
  copy.setAttribute("height", Math.round(height * SCALE));
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const fill = getComputedStyle(document.documentElement).backgroundColor;
  for (const [name, value] of Object.entries({ x, y, width, height, fill })) ground.setAttribute(name, value);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The same in pixels. */
async function pixelsOf(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = html("canvas", { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Lets the browser keep a file. */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The ends of files whose form is not their end. */
export const ENDS = { moves: "txt" };

export function createDownload({ state, rules, board, fail }) {
  // The colon in the name of a variant is not for files.
  const name = (kind) => `alesia-${state().game.replaceAll(":", "-")}-${state().id}.${ENDS[kind] ?? kind}`;
  const definition = rules.variant?.definition ?? null;
  const entry = (key, make, called = () => name(key)) => {
    const button = html("button", { type: "button", "data-download": key }, t(`download.${key}`));
    button.addEventListener("click", async () => {
      element.open = false;
      try {
        save(await make(), called());
      } catch (error) {
        fail(error);
      }
    });
    return button;
  };
  const record = (query) => getFile(`/api/games/${state().id}/record${query}`);
  const drawing = () => pictureOf(board);
  const records = [entry("jsonl", () => record("")), ...rules.formats.map((format) => entry(format, () => record(`?format=${format}`)))];
  const element = html(
    "details",
    { class: "download", "data-action": "download" },
    html("summary", {}, t("download")),
    html(
      "div",
      {},
      ...records,
      // Under this name the programs find the game of the record.
      definition && entry("ini", () => new Blob([definition], { type: "text/plain" }), () => state().game.split(":")[0]),
      entry("svg", () => new Blob([drawing()], { type: "image/svg+xml" })),
      entry("png", () => pixelsOf(drawing())),
    ),
  );

  /** A game that was broken off has no record. */
  function show(result) {
    element.hidden = !result;
    for (const button of records) button.hidden = !result?.decided;
  }

  return { element, show };
}

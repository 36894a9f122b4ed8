// Writes what a page needs to play and analyse in its visitor's browser: the module, the weights of
// each game, and the two scripts that load them.
//
//   cargo build --release -p alesia-web --target wasm32-unknown-unknown
//   node tools/web/build.mjs DIR [MODULE.wasm]

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import { split } from "./split.mjs";

const here = (path) => new URL(path, import.meta.url);
const GAMES = here("../../src/games/");
const BUILT = here("../../target/wasm32-unknown-unknown/release/alesia_web.wasm");

/** The games that have a file of weights. */
export function weights() {
  const games = readdirSync(GAMES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = games.map(({ name }) => [name, new URL(`${name}/weights.bin`, GAMES)]);
  const read = ([name, file]) => {
    try {
      return [[name, readFileSync(file)]];
    } catch (error) {
      if (error.code === "ENOENT") return [];
      throw error;
    }
  };
  return Object.fromEntries(files.flatMap(read));
}

/** Writes all into a folder; `built` is the module. */
export function writeEngine(folder, built) {
  const files = weights();
  const { module, places } = split(readFileSync(built ?? BUILT), files);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/alesia.wasm`, module);
  writeFileSync(`${folder}/weights.json`, JSON.stringify(places));
  for (const [game, bytes] of Object.entries(files)) writeFileSync(`${folder}/${game}.bin`, bytes);
  for (const name of ["engine.js", "worker.js"]) copyFileSync(here(name), `${folder}/${name}`);
}

const [script, folder, built] = process.argv.slice(1);
if (script.endsWith("build.mjs")) {
  if (!folder) throw new Error("found no folder, expected: node tools/web/build.mjs DIR [MODULE.wasm]");
  writeEngine(folder, built);
}

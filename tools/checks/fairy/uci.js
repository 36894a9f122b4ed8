// Fairy-Stockfish of the registry (npm install fairy-stockfish-nnue.wasm) as a program over pipes:
//
//   node uci.js FOLDER        with node_modules in FOLDER
//
// Its package is made for pages: here files of definitions come from the disk.
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");

// With it the package would ask the network for its own files.
delete globalThis.fetch;
const start = require(path.resolve(process.argv[2], "node_modules/fairy-stockfish-nnue.wasm/stockfish.js"));

const PATH = /^setoption name VariantPath value (.+)$/i;

start().then(async (engine) => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [, file] = PATH.exec(line.trim()) ?? [];
    if (file && file !== "<empty>") {
      const copy = `/${path.basename(file)}`;
      engine.FS.writeFile(copy, fs.readFileSync(file));
      engine.postMessage(`setoption name VariantPath value ${copy}`);
    } else {
      engine.postMessage(line);
    }
    if (line.trim() === "quit") break;
  }
  engine.postMessage("quit");
});

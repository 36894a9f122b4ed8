// Starting the programs under test and reading what they print.
//
// They are those of ALESIA_BIN_DIR, or else of the newer of target/release and target/debug.

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const running = new Set();
process.on("exit", () => running.forEach((program) => program.kill()));

function folder() {
  if (process.env.ALESIA_BIN_DIR) return process.env.ALESIA_BIN_DIR;
  const built = ["release", "debug"]
    .map((kind) => `${ROOT}target/${kind}`)
    .map((path) => ({ path, time: statSync(`${path}/alesia-lab`, { throwIfNoEntry: false })?.mtimeMs }))
    .filter(({ time }) => time)
    .sort((a, b) => b.time - a.time);
  if (!built.length) throw new Error("found no alesia-lab in target/release or target/debug; expected cargo build --workspace before");
  return built[0].path;
}

class Program {
  constructor(name, args, options) {
    this.what = [name, ...args].join(" ");
    this.lines = [];
    this.waiting = [];
    this.child = spawn(`${folder()}/${name}`, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    running.add(this);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.take(line));
    }
    /** Resolves with the exit status once all output has been read. */
    this.ended = new Promise((resolve) => {
      this.child.on("error", (error) => this.take(`${error}`));
      this.child.on("close", (status) => {
        running.delete(this);
        this.over = true;
        for (const { refuse } of this.waiting) refuse();
        resolve(status);
      });
    });
  }

  take(line) {
    this.lines.push(line);
    this.waiting = this.waiting.filter(({ pattern, resolve }) => {
      const found = line.match(pattern);
      if (found) resolve(found);
      return !found;
    });
  }

  /** The first line, printed already or to come, that matches. */
  line(pattern) {
    const found = this.lines.map((line) => line.match(pattern)).find(Boolean);
    if (found) return Promise.resolve(found);
    const missing = () => new Error(`${this.what}: ended without a line like ${pattern}, after:\n${this.lines.join("\n")}`);
    if (this.over) return Promise.reject(missing());
    return new Promise((resolve, reject) => this.waiting.push({ pattern, resolve, refuse: () => reject(missing()) }));
  }

  kill() {
    this.child.kill("SIGKILL");
  }

  async stop() {
    this.kill();
    await this.ended;
  }
}

/** Starts one of the programs: start("alesia", ["referee", …]). */
export const start = (name, args, options) => new Program(name, args, options);

/** The address that a program prints of its page, without the slash at its end. */
export async function pageOf(program) {
  const [, address] = await program.line(/the page: (http:\S+)\//);
  return address;
}

/** The board's server, on a free port unless one is given, with more options: {program, address}. */
export async function startBoard(port = 0, options = []) {
  const program = start("alesia-lab", ["board", "--port", String(port), ...options]);
  return { program, address: await pageOf(program) };
}

// The page as files alone (tools/web/site.mjs), shown by a plain server of files.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TARGET = `${process.env.CARGO_TARGET_DIR ?? `${ROOT}target`}/wasm32-unknown-unknown`;
/** The module that was built last, or the one of ALESIA_WASM; none where it was never built. */
const MODULE = process.env.ALESIA_WASM ?? ["release", "debug"].map((kind) => `${TARGET}/${kind}/alesia_web.wasm`).find(existsSync);

const KINDS = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Why there is no site to test; false where there is one. */
export const missing = !MODULE && "no module: cargo build --release -p alesia-web --target wasm32-unknown-unknown";

/** The site in a folder of a server: {address, end()}. */
export async function startSite() {
  const folder = mkdtempSync(join(tmpdir(), "alesia-site-"));
  const made = spawnSync(process.execPath, [`${ROOT}tools/web/site.mjs`, `${folder}/site`, MODULE], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const server = createServer(({ url }, answer) => {
    const { pathname } = new URL(url, "http://site");
    const path = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!existsSync(path)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/site`,
    end() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

// A service worker: keeps the site's files, so that the page needs no network after the first load.
// The weights of a game are kept once it is played, and all of them when the page is at rest.

const CACHE = `alesia-${VERSION}`;
const LARGE = /\.bin$/;

/** A file as the site has it now, not as a browser remembers it. */
const fresh = (name) => new Request(name, { cache: "no-cache" });

self.addEventListener("install", (event) => {
  const first = FILES.filter((name) => !LARGE.test(name) && name !== "index.html");
  const files = caches.open(CACHE).then((cache) => cache.addAll(["./", ...first].map(fresh)));
  event.waitUntil(files.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("alesia-") && name !== CACHE));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

/** The kept answer, or one of the site, which is kept. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  // All views are one file.
  const key = request.mode === "navigate" ? "./" : request;
  const kept = await cache.match(key, { ignoreSearch: true });
  if (kept) return kept;
  const got = await fetch(request);
  if (got.ok) await cache.put(key, got.clone());
  return got;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const inSite = request.url.startsWith(self.registration.scope);
  if (request.method === "GET" && inSite) event.respondWith(answer(request));
});

/** The page asks for the weights of the other games. */
self.addEventListener("message", (event) => {
  const all = FILES.filter((name) => LARGE.test(name));
  const rest = caches.open(CACHE).then(async (cache) => {
    for (const name of all) if (!(await cache.match(name))) await cache.add(fresh(name));
  });
  event.waitUntil(rest.catch(() => {}));
});

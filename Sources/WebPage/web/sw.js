// The service worker: it keeps the page on the device, so that it starts without a connection. It answers navigations to
// the page, and its own set of files, and leaves everything else to the network: the API, other methods than GET, other sets.
//
// One worker has one set. Its page and its files come from one version of the service. A new version is a new worker with
// another set: once all of it is kept it takes over, the windows hear `controllerchange`, and have it when they reload.

const set = "{{set}}";
const names = new Set(JSON.parse('{{assets}}'));
const folder = `/assets/${set}/`;
const prefix = "timeclock-page-";
// The addresses that navigations may go to, each kept under its own address.
const pages = ["/"];
// Answers vary by Accept and Accept-Encoding, which the worker's requests need not share with the browser's.
const anyway = { ignoreVary: true };

// Whether the page is switched off at the service: from then on nothing is kept.
let isOver = false;

const kept = () => caches.open(prefix + set);
// Without this Accept the service answers JSON. It is asked each time, past the browser's cache.
const ask = (path) => fetch(path, { headers: { Accept: "text/html" }, cache: "no-cache" });

/** The set that a page's text names; undefined for a text that is none of ours, as of a proxy or a hotel's network. */
const setOf = (text) => text.match(/\/assets\/([0-9a-f]{12})\//)?.[1];

/** Keeps a page of this set and all of the set that it names. It fails if anything is missing. */
async function keepPage(path) {
  const response = await ask(path);
  const text = await response.clone().text();
  if (!response.ok || response.redirected || setOf(text) !== set) throw new Error(`${path} is not of set ${set}`);
  await keepAssets([...text.matchAll(/\/assets\/[0-9a-f]{12}\/[A-Za-z0-9_.-]+/g)].map(([address]) => address));
  await (await kept()).put(path, response);
}

/** Keeps those of the addresses that are of the set. */
async function keepAssets(addresses) {
  const cache = await kept();
  const paths = addresses.map((address) => new URL(address, location.origin).pathname).filter(isOfSet);
  await Promise.all([...new Set(paths)].map(async (path) => (await cache.match(path, anyway)) ?? cache.add(path)));
}

const isOfSet = (path) => path.startsWith(folder) && names.has(path.slice(folder.length));

/** Lets the next navigation go to the service. */
async function forgetPages() {
  const cache = await kept();
  await Promise.all(pages.map((path) => cache.delete(path, anyway)));
}

/** Deletes the caches of workers, except `name`. */
async function clear(name) {
  const all = await caches.keys();
  await Promise.all(all.filter((one) => one.startsWith(prefix) && one !== name).map((one) => caches.delete(one)));
}

/** Asks the service for the page, behind an answer from the device. */
async function refresh(path) {
  const response = await ask(path);
  if (!response.ok || response.redirected) return;
  if (response.headers.get("Content-Type")?.startsWith("application/json")) {
    isOver = true;
    await registration.unregister();
    await clear();
    return;
  }
  const found = setOf(await response.clone().text());
  if (found === set) await (await kept()).put(path, response);
  else if (found !== undefined) await renew();
}

/** Fetches the worker of another version; the page comes from the service if this device cannot keep it. */
async function renew() {
  await registration.update().catch(() => {});
  const next = registration.installing;
  if (next) await new Promise((done) => next.addEventListener("statechange", done, { once: true }));
  if (next ? next.state === "redundant" : !registration.waiting) await forgetPages();
}

/** Answers a navigation: from the device, else from the service. */
async function answerPage(request, path) {
  return (await (await kept()).match(path, anyway)) ?? fetch(request);
}

/** Answers with a file of the set: from the device, else from the service, and keeps it then. */
async function answerAsset(request, path) {
  if (isOver) return fetch(request);
  const cache = await kept();
  const found = await cache.match(path, anyway);
  if (found) return found;
  const response = await fetch(request);
  // The service has another version by now: the page reloads, and must not get its former self again.
  if (response.status === 404) await forgetPages();
  if (response.ok && isOfSet(path)) await cache.put(path, response.clone()).catch(() => {});
  return response;
}

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all(pages.map(keepPage)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(clear(prefix + set).then(() => clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  let answer;
  if (request.mode === "navigate" && pages.includes(pathname)) {
    answer = answerPage(request, pathname);
    event.waitUntil(answer.then(() => refresh(pathname)).catch(() => {}));
  } else if (pathname.startsWith(folder)) {
    answer = answerAsset(request, pathname);
  } else {
    return;
  }
  // If a browser refuses to keep anything, the service answers alone.
  event.respondWith(answer.catch(() => fetch(request)));
});

// Messages of a page: {type: "version"}, answered {type: "version", set}; {type: "keep", addresses}, to keep the files
// loaded before there was a worker.
self.addEventListener("message", (event) => {
  const { type, addresses } = event.data ?? {};
  if (type === "version") event.source?.postMessage({ type, set });
  if (type === "keep" && Array.isArray(addresses)) event.waitUntil(keepAssets(addresses).catch(() => {}));
});

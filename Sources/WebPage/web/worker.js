// Registers the service worker, which keeps the page for starts without a connection.
import { stay } from "./shell.js";
import { t } from "./words.js";

/** Modules that a start without a connection may need besides those that were loaded. */
const OFFLINE = ["delivery", "dialog", "keylist", "signout", "unaccepted"];

/** The Trusted Types policy `timeclock` lets through the worker's address alone. */
function workerAddress() {
  const createScriptURL = (address) => {
    if (address !== "/sw.js") throw new TypeError(`No script is loaded from ${address}.`);
    return address;
  };
  const policy = window.trustedTypes?.createPolicy("timeclock", { createScriptURL });
  return policy ? policy.createScriptURL("/sw.js") : "/sw.js";
}

/** Registers the worker if the browser has any, and shows when a new version has come. */
export function registerWorker() {
  const container = navigator.serviceWorker;
  if (!container) return;
  let isControlled = Boolean(container.controller);
  container.addEventListener("controllerchange", () => {
    if (isControlled) stay(t("shell.newVersion"), t("shell.reload"), () => location.reload());
    isControlled = true;
  });
  container.register(workerAddress()).then(keepLoaded, () => {});
  // A page that comes back out of the browser's memory navigates nowhere, so the browser asks for no new worker by itself.
  addEventListener("pageshow", async ({ persisted }) => {
    if (persisted) (await container.getRegistration())?.update().catch(() => {});
  });
}

/** Asks the worker to keep the files that were loaded before it was there. */
async function keepLoaded() {
  const { active } = await navigator.serviceWorker.ready;
  setTimeout(() => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const needed = OFFLINE.map((name) => new URL(`./${name}.js`, import.meta.url).href);
    active.postMessage({ type: "keep", addresses: [...loaded, ...needed] });
  }, 3000);
}

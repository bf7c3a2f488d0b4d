// The log-in kept on this device: the token, data stored beside it, preferences, and their removal.
import { store } from "./store.js";

/** Sent with a log-in, so that the time it records has the source `web`. */
export const CLIENT = { client: "web" };

const KEY = "timeclock.account";

/** The storage that holds the token: the tab's own first, else the device's ("Keep me signed in"). */
function place() {
  return sessionStorage.getItem(KEY) ? sessionStorage : localStorage;
}

function read() {
  try {
    return JSON.parse(place().getItem(KEY)) || {};
  } catch {
    return {};
  }
}

export const token = () => read().token || null;

/** Keeps a new log-in's token. */
export function signIn(grant, keep) {
  forget();
  const { token, mustChangePassword } = grant;
  (keep ? localStorage : sessionStorage).setItem(KEY, JSON.stringify({ token, mustChangePassword }));
}

/** Stores a value beside the token, such as the last state; `recall` returns it. */
export function remember(name, value) {
  const account = read();
  if (account.token) place().setItem(KEY, JSON.stringify({ ...account, [name]: value }));
}

export const recall = (name) => read()[name];

/** Removes the token and the values beside it; preferences and the queue stay. */
export function forget() {
  localStorage.removeItem(KEY);
  sessionStorage.removeItem(KEY);
}

/** A choice of this device: "language", "appearance", "compact", "shortcuts". */
export const preference = (name) => localStorage.getItem(`timeclock.${name}`);

export function setPreference(name, value) {
  if (value == null) localStorage.removeItem(`timeclock.${name}`);
  else localStorage.setItem(`timeclock.${name}`, value);
  applyLook();
  store.emit("preference", name);
}

/** Shows the chosen appearance, as theme.js does before the first paint. */
function applyLook() {
  const { dataset } = document.documentElement;
  const theme = preference("appearance");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  else delete dataset.theme;
  if (preference("compact")) dataset.compact = "";
  else delete dataset.compact;
}

/** Deletes everything this device stores: preferences, the token, cached state, the queue. */
export async function wipe() {
  localStorage.clear();
  sessionStorage.clear();
  applyLook();
  const emptied = emptyDatabases().catch(() => {});
  await Promise.race([emptied, new Promise((done) => setTimeout(done, 2000))]);
}

/** Deletes the databases of this origin; older browsers cannot list them. */
async function emptyDatabases() {
  const listed = (await indexedDB.databases?.()) || [{ name: "timeclock" }];
  await Promise.all(listed.map(({ name }) => new Promise((done) => {
    Object.assign(indexedDB.deleteDatabase(name), { onsuccess: done, onerror: done });
  })));
}

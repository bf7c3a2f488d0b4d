// One way to punch: each press is kept on the device, shown at once, sent until it is answered, and then dropped.
import { api, uuid } from "./api.js";
import { change, isDurable, jot, jotted, strike } from "./idb.js";
import { fold } from "./queuefold.js";
import { sender } from "./sender.js";
import * as servertime from "./servertime.js";
import { store } from "./store.js";

// The punches of this person in this organization; those answered wait in `settled` for a clock that has them in it.
let owner = null;
let punches = [];
let unsaved = new Map();
let settled = new Map();
let pressed = new Map();
const entryIds = new Map();
let waiters = new Map();
let newest = null;
let last = 0;
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("timeclock") : null;
const queue = sender(async () => {
  const { deliver } = await import("./delivery.js");
  const mine = owner;
  // Answers that come after another person has logged in are not shown.
  const whileMine = (act) => (...given) => mine === owner && act(...given);
  await deliver(mine, { report: whileMine(report), takeClock: whileMine(takeClock) });
});

const isOpen = (punch) => punch.state === "pending";

/** Punches to be sent. */
export const pending = () => punches.filter((punch) => isOpen(punch) && !punch.undone);

function publish() {
  store.set("refused", punches.filter((punch) => !isOpen(punch)));
  store.set("queueInMemory", !isDurable());
  store.set("queue", pending());
}

function keep(result, whose = owner) {
  if (whose !== owner) return result.value;
  const held = result.punches.filter(({ id }) => !unsaved.has(id));
  punches = [...held, ...unsaved.values()].sort((a, b) => a.at - b.at);
  return result.value;
}

const tell = (message) => channel?.postMessage({ owner, ...message });

async function update(decide) {
  const whose = owner;
  return keep(await change(whose, decide), whose);
}

/** Shows a punch as it will be stored, stores it, and notifies the other tabs. */
async function save(punch, decide) {
  unsaved.set(punch.id, punch);
  publish();
  const whose = owner;
  const result = await change(whose, decide);
  unsaved.delete(punch.id);
  keep(result, whose);
  publish();
  tell({});
  return result.value;
}

/** Presses: `type` as in `applyPunches`, `extra` its other members. Returns the punch; it is shown and kept already. */
export function punch(type, extra = {}) {
  const at = (last = Math.max(Math.floor(servertime.now()), last + 1));
  const made = { id: uuid(), owner, type, at, ...extra, state: "pending", attempted: false };
  pressed = new Map([...pressed, [made.id, { punch: made, clock: store.get("clock"), before: shown() }]].slice(-20));
  punches = [...punches, made];
  jot(made);
  save(made, () => ({ put: [made] })).then(() => {
    strike(made);
    queue.send();
  });
  return made;
}

/** Waits for the outcome of a punch: "applied", "refused", "waiting" or "dropped", with the problem. */
export const outcome = (id) => new Promise((done) => waiters.set(id, [...(waiters.get(id) || []), done]));

function resolve(id, result) {
  for (const done of waiters.get(id) || []) done(result);
  waiters.delete(id);
}

/** The punches folded over the clock: waiting ones, and settled ones that the clock shown may lack. */
const shown = () => [...settled.values(), ...punches.filter((punch) => isOpen(punch) && !settled.has(punch.id))];

/** The state to show now; `known` as in `fold`. */
export function folded(known, now = servertime.now()) {
  const undone = punches.findLast((punch) => punch.undone && pressed.has(punch.id));
  if (!undone) return fold(store.get("clock"), shown().filter((punch) => !punch.undone), now, known);
  const { clock, before } = pressed.get(undone.id);
  const later = shown().filter((punch) => punch.at > undone.at && !punch.undone);
  return fold(clock, [...before.filter((punch) => !punch.undone), ...later], now, known);
}

/** Takes a press back: one that was not sent is dropped, one on its way or applied is undone at the service. */
export async function undo(id) {
  const known = punches.find((punch) => punch.id === id) || pressed.get(id)?.punch;
  if (!known) return;
  const undone = { ...known, undone: true };
  punches = [...punches.filter((punch) => punch.id !== id), undone].sort((a, b) => a.at - b.at);
  const fate = await save(undone, (held) => {
    const punch = held.find((one) => one.id === id);
    if (!punch) return { put: [{ ...undone, state: "pending", applied: true }] };
    if (!punch.attempted || !isOpen(punch)) return { remove: [id], value: "dropped" };
    return { put: [{ ...punch, undone: true }] };
  });
  if (fate === "dropped") resolve(id, { status: "dropped" });
  else queue.send();
}

/** Forgets a punch that was not accepted. */
export async function discard(id) {
  await update(() => ({ remove: [id] }));
  publish();
  tell({});
}

/** Gives a punch that was not sent other notes; false if it is on its way. */
export async function amend(id, notes) {
  const isDone = await update((held) => {
    const punch = held.find((one) => one.id === id && !one.attempted);
    return punch ? { put: [{ ...punch, notes }], value: true } : { value: false };
  });
  publish();
  tell({});
  return isDone;
}

/** The id of a press's entry, once the clock with it is here; undefined if it was not applied. */
export async function entryOf(id) {
  if (pending().some((punch) => punch.id === id)) await outcome(id);
  await drained();
  return entryIds.get(id);
}

/** Sends waiting punches now. */
export const sendQueue = () => queue.wake();

/** Sends waiting punches and returns how many still wait, after `milliseconds` at most. */
export async function drained(milliseconds = 5000) {
  await Promise.race([queue.wake(), new Promise((done) => setTimeout(done, milliseconds))]);
  return pending().length;
}

/** Takes the service's results of punches: called while they are sent. */
function report(held, results) {
  keep({ punches: held });
  const applied = results.filter(({ status, punch }) => status === "applied" && !punch.undone)
    .map(({ punch, timeEntryId }) => ({ ...punch, timeEntryId, attempted: true }));
  settle(applied);
  publish();
  tell({ settled: applied });
  for (const result of results) resolve(result.punch.id, result);
}

/** Keeps applied punches, and the ids of their entries. */
function settle(applied) {
  for (const punch of applied) {
    settled.set(punch.id, { ...punch, settledAt: servertime.now() });
    entryIds.set(punch.id, punch.timeEntryId);
  }
}

/** Shows a clock of the service; `asked`: it was asked for after all that is settled. */
export function takeClock(clock, asked = true) {
  if (asked) settled = new Map();
  store.set("clock", clock);
  tell({ clock });
}

/** An answer that was on its way for long does not overwrite a newer one. */
function guard(clock) {
  if (!clock || clock === newest) return;
  const ahead = newest ? Date.parse(newest.serverTime) - Date.parse(clock.serverTime) : 0;
  if (ahead > 0 && ahead < 60_000) return store.set("clock", newest);
  newest = clock;
  for (const [id, punch] of settled) if (punch.settledAt <= Date.parse(clock.serverTime)) settled.delete(id);
  if (pending().length) queue.send();
}

async function load() {
  const membership = store.get("membership");
  const user = membership?.userId || store.get("me")?.user.id;
  const next = membership && user ? `${user} ${membership.organizationID}` : null;
  if (next === owner) return void (pending().length && queue.send());
  owner = next;
  [punches, unsaved, settled, pressed, newest] = [[], new Map(), new Map(), new Map(), null];
  if (!owner) return;
  const left = jotted(owner);
  await update((held) => ({ put: left.filter(({ id }) => !held.some((punch) => punch.id === id)) }));
  left.forEach(strike);
  publish();
  if (punches.length) queue.send();
}

channel?.addEventListener("message", async ({ data }) => {
  if (!owner || data.owner !== owner) return;
  settle(data.settled || []);
  if (data.clock) {
    settled = new Map();
    store.set("clock", data.clock);
  } else await update(() => ({}));
  publish();
});
store.on("membership", load);
store.on("signedOut", () => (owner = null));
store.on("clock", guard);
store.on("connection", (state) => state === "ok" && pending().length && queue.wake());
for (const event of ["online", "pageshow"]) addEventListener(event, () => owner && punches.length && queue.wake());
load();
// It is there before the first press, which may come without a connection, but not before the first screen.
setTimeout(() => import("./delivery.js").catch(() => {}), 1000);

// The queue of punches against a service in memory: kept, sent once, put back, taken back. No IndexedDB: all in memory.
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { load } from "./modules.mjs";

const kept = new Map();
const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value),
  removeItem: (key) => kept.delete(key) };
const globals = { localStorage: storage, sessionStorage: storage, addEventListener() {}, BroadcastChannel: undefined,
  fetch: answer, navigator: { onLine: true }, document: { documentElement: {} } };
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
storage.setItem("timeclock.account", JSON.stringify({ token: "t", userId: "mia" }));

const { store } = await load("store.js");
const { fold } = await load("queuefold.js");
const punches = await load("punches.js");
const BASE = { status: "clocked-out", timeEntry: null, segment: null, sessionSeconds: 0, dailySeconds: 0 };

// The service's behavior: "answer", "lose" (no request arrives), "swallow" (it is done, no answer comes), "hold".
let mode;
let applied;
let requests;
let held;
let refuse;

const clockNow = () => {
  const view = fold({ ...BASE, serverTime: new Date().toISOString() }, applied, Date.now(), { zone: "UTC" });
  return { ...BASE, status: view.status, timeEntry: view.entry && { ...view.entry, pending: undefined, id: "entry" },
    segment: view.segment && { ...view.segment, pending: undefined }, serverTime: new Date().toISOString() };
};

function apply({ id, type, at, ...rest }) {
  const problem = refuse && { status: 409, code: refuse, detail: refuse };
  if (problem) return { id, status: "refused", timeEntryId: null, segmentId: null, problem };
  const isKnown = applied.some((punch) => punch.id === id);
  if (!isKnown) applied.push({ id, type, at: Date.parse(at), ...rest });
  return { id, status: isKnown ? "duplicate" : "applied", timeEntryId: "entry", segmentId: null, problem };
}

function service(method, path, body) {
  if (method === "GET") return [200, clockNow()];
  if (path.endsWith("/punches")) return [200, { results: body.punches.map(apply) }];
  const id = path.split("/").at(-2);
  if (applied.at(-1)?.id !== id) return [409, { status: 409, code: "punch_superseded", detail: "later" }];
  applied.pop();
  return [200, clockNow()];
}

async function answer(path, { method, body }) {
  const given = body ? JSON.parse(body) : null;
  requests.push({ method, path, ids: given?.punches?.map(({ id }) => id) });
  if (mode === "lose") throw new TypeError("failed");
  if (mode === "hold") await new Promise((done) => held.push(done));
  const [status, data] = service(method, path, given);
  if (mode === "swallow") throw new TypeError("failed");
  return new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } });
}

const until = async (what) => {
  for (let round = 0; round < 400; round += 1) {
    if (what()) return;
    await new Promise((done) => setTimeout(done, 5));
  }
  assert.fail(`not reached: ${what}`);
};
const status = () => punches.folded({ zone: "UTC" }, Date.now()).status;
const sent = () => requests.filter(({ ids }) => ids).flatMap(({ ids }) => ids);
let count = 0;

beforeEach(async () => {
  [mode, applied, requests, held, refuse] = ["answer", [], [], [], null];
  store.clear();
  store.set("membership", { userId: "mia", organizationID: `organization-${(count += 1)}`, timeZone: "UTC" });
  await until(() => store.get("queue"));
  store.set("clock", clockNow());
});

// Waiting punches would be tried again and again.
after(() => {
  [mode, refuse] = ["answer", null];
  return punches.sendQueue();
});

test("a press is shown at once, sent, and dropped", async () => {
  const punch = punches.punch("clockIn");
  assert.equal(status(), "clocked-in");
  assert.equal(punches.pending().length, 1);
  assert.equal((await punches.outcome(punch.id)).status, "applied");
  await until(() => store.get("clock").timeEntry);
  assert.deepEqual(sent(), [punch.id]);
  assert.equal(punches.pending().length, 0);
  assert.equal(status(), "clocked-in");
});

test("without a connection it is kept, and comes with the same id", async () => {
  mode = "lose";
  const punch = punches.punch("clockIn");
  await until(() => sent().length === 1);
  assert.equal(status(), "clocked-in");
  mode = "answer";
  await punches.sendQueue();
  assert.deepEqual(new Set(sent()), new Set([punch.id]));
  assert.equal(applied.length, 1);
  assert.equal(applied[0].at, punch.at);
});

test("a punch whose answer was swallowed counts once", async () => {
  mode = "swallow";
  punches.punch("clockIn");
  await until(() => applied.length === 1);
  mode = "answer";
  await punches.sendQueue();
  assert.equal(applied.length, 1);
  assert.equal(punches.pending().length, 0);
});

test("a clock that was on its way flips no button back", async () => {
  const late = clockNow();
  const punch = punches.punch("clockIn");
  store.set("clock", late);
  assert.equal(status(), "clocked-in");
  await punches.outcome(punch.id);
  store.set("clock", late);
  assert.equal(status(), "clocked-in");
  await until(() => store.get("clock").timeEntry);
  store.set("clock", late);
  assert.equal(status(), "clocked-in");
});

test("what is refused is put back, kept with its reason, and can be discarded", async () => {
  refuse = "already_clocked_in";
  const punch = punches.punch("clockIn");
  const outcome = await punches.outcome(punch.id);
  assert.equal(outcome.status, "refused");
  assert.equal(status(), "clocked-out");
  assert.equal(store.get("refused")[0].problem.code, "already_clocked_in");
  assert.equal(punches.pending().length, 0);
  await punches.discard(punch.id);
  assert.equal(store.get("refused").length, 0);
});

test("undo of what was not sent drops it", async () => {
  navigator.onLine = false;
  const punch = punches.punch("clockIn");
  await punches.undo(punch.id);
  navigator.onLine = true;
  await punches.sendQueue();
  assert.equal(status(), "clocked-out");
  assert.deepEqual(requests, []);
});

test("undo of what was applied asks the service, and shows what was at once", async () => {
  const punch = punches.punch("clockIn");
  await punches.outcome(punch.id);
  await until(() => store.get("clock").timeEntry);
  mode = "hold";
  const undoing = punches.undo(punch.id);
  assert.equal(status(), "clocked-out");
  await undoing;
  await until(() => held.length);
  assert.equal(status(), "clocked-out");
  mode = "answer";
  held.forEach((done) => done());
  await until(() => !store.get("clock").timeEntry);
  assert.equal(status(), "clocked-out");
  assert.deepEqual(applied, []);
});

test("undo of what is on its way waits for its answer, and what is pressed then comes after it", async () => {
  mode = "hold";
  const punch = punches.punch("clockIn");
  await until(() => held.length);
  await punches.undo(punch.id);
  assert.equal(status(), "clocked-out");
  const next = punches.punch("clockIn");
  assert.equal(status(), "clocked-in");
  mode = "answer";
  held.forEach((done) => done());
  await punches.outcome(next.id);
  assert.deepEqual(applied.map(({ id }) => id), [next.id]);
  const paths = requests.filter(({ method }) => method === "POST").map(({ path }) => path.split("/").at(-1));
  assert.deepEqual(paths, ["punches", "undo", "punches"]);
});

test("an undo that the service refuses leaves the state, with its reason", async () => {
  const punch = punches.punch("clockIn");
  await punches.outcome(punch.id);
  await until(() => store.get("clock").timeEntry);
  applied.push({ id: "another", type: "startSegment", projectId: "p", at: Date.now() });
  const fate = punches.outcome(punch.id);
  await punches.undo(punch.id);
  assert.equal((await fate).problem.code, "punch_superseded");
  assert.equal(status(), "clocked-in");
});

test("the queue is one person's in one organization", async () => {
  mode = "lose";
  const membership = store.get("membership");
  punches.punch("clockIn");
  await until(() => sent().length === 1);
  store.set("membership", { ...membership, userId: "ivo" });
  await until(() => store.get("queue").length === 0);
  mode = "answer";
  await punches.sendQueue();
  assert.deepEqual(applied, []);
  store.set("membership", membership);
  await until(() => applied.length === 1);
});

test("two presses in one millisecond keep their order", () => {
  mode = "lose";
  const [first, second] = [punches.punch("clockIn"), punches.punch("clockOut")];
  assert.ok(second.at > first.at);
  assert.equal(status(), "clocked-out");
});

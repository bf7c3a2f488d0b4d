// The stream of changes: one request that stays open while the page is seen.
import { api, org, request } from "./api.js";
import { addDays, instantOf, localDate } from "./format.js";
import { note, now } from "./servertime.js";
import { store } from "./store.js";

const SILENCE = 40_000;
// A stream that was cut comes back within two seconds of a service that does; one that stays away is asked less often.
const ATTEMPTS = 15;
const HIDDEN = 60_000;

let wanted = false;
let open = null;
let lastId = null;
let attempt = 0;
let timers = {};

function later(name, milliseconds, act) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(act, milliseconds);
}

/** Begins the stream of the current organization. */
export function start() {
  if (wanted) return;
  wanted = true;
  attempt = 0;
  connect();
  atMidnight();
}

/** Ends the stream and forgets its position. */
export function stop() {
  wanted = false;
  lastId = null;
  pause();
  for (const name of Object.keys(timers)) clearTimeout(timers[name]);
}

/** Ends the request; the next one resumes at the last event. */
function pause() {
  open?.abort();
  open = null;
  clearTimeout(timers.silence);
  clearTimeout(timers.again);
}

function resume() {
  if (!wanted || open) return;
  attempt = 0;
  connect();
  atMidnight();
}

/** Tries again each second, after 15 attempts after 2, 4 … 30 seconds. */
function again(seconds) {
  pause();
  if (!wanted) return;
  const wait = seconds || Math.min(30, 2 ** Math.max(0, ++attempt - ATTEMPTS));
  later("again", wait * 1000 * (0.9 + Math.random() * 0.2), connect);
}

async function connect() {
  pause();
  if (!wanted) return;
  const mine = (open = new AbortController());
  const sentAt = performance.now();
  silence();
  try {
    const headers = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": lastId }) };
    const response = await request("GET", org("/events"), { headers, signal: mine.signal });
    await read(response.body, mine, sentAt);
    if (open === mine) again();
  } catch (error) {
    if (open !== mine) return;
    if (error.code === "position_unknown") {
      lastId = null;
      store.emit("resync");
    }
    // A role that changed, or a membership that ended: whether the stream is still wanted, its answer says.
    const isOver = error.status === 403 || error.status === 404;
    again(isOver ? 30 : error.retryAfter);
    if (isOver) store.emit("membershipChanged");
  }
}

/** Reads events until the stream ends. */
async function read(body, mine, sentAt) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done || open !== mine) return;
    silence();
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) handle(block, sentAt);
  }
}

/** Treats the stream as lost after 40 s without a byte: a dead connection raises no error. */
function silence() {
  later("silence", SILENCE, () => {
    store.set("connection", "offline");
    again();
  });
}

function handle(block, sentAt) {
  const fields = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w*): ?(.*)$/.exec(line) || [];
    if (name) fields[name] = value;
  }
  if (fields.id) lastId = fields.id;
  if (!fields.data) return;
  const data = JSON.parse(fields.data);
  if (fields.event === "snapshot") {
    attempt = 0;
    note(data.clock.serverTime, sentAt, performance.now());
    store.set("connection", "ok");
    store.set("clock", data.clock);
    store.emit("stream", data);
  } else if (fields.event === "change") change(data);
  else store.emit(fields.event, data);
}

function change(change) {
  const { resource, resourceId, data } = change;
  const me = store.get("membership")?.userId;
  if (!data) store.drop(resource, resourceId);
  else if (store.records(resource).has(resourceId) || store.heard(`record:${resource}`)) store.take(resource, data);
  if ((resource === "timeEntry" || resource === "segment") && (!data || data.userId === me)) askClock();
  if (resource === "organization" && data) store.set("organization", data);
  if (resource === "member" && resourceId === me) store.emit("membershipChanged");
  store.emit("change", change);
}

/** Asks for the clock, once for changes that come together. */
function askClock() {
  later("clock", 50, async () => {
    try {
      store.set("clock", (await api.get(org("/clock"))).data);
    } catch {
      // The stream begins again and brings it.
    }
  });
}

/** Asks for the clock at the person's midnight, when today's total starts again. */
function atMidnight() {
  const zone = store.get("membership").timeZone;
  const midnight = Date.parse(instantOf(addDays(localDate(now(), zone), 1), "00:00", zone) || "");
  const wait = (Number.isNaN(midnight) ? 3_600_000 : midnight - now()) + 500;
  later("midnight", Math.min(Math.max(wait, 1000), 2_000_000_000), () => {
    askClock();
    store.emit("midnight");
    atMidnight();
  });
}

addEventListener("pagehide", pause);
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted || !wanted) return;
  resume();
  askClock();
});
addEventListener("online", resume);
addEventListener("offline", () => {
  store.set("connection", "offline");
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) later("hidden", HIDDEN, pause);
  else {
    clearTimeout(timers.hidden);
    resume();
  }
});
store.on("connection", (state) => {
  if (state === "offline" && open && wanted) again();
});

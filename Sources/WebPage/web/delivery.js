// Brings the punches of an owner to the service, in the order of their times, and takes back those undone.
import { api, NoConnection, Refusal } from "./api.js";
import { change } from "./idb.js";
import { now } from "./servertime.js";

const FIELDS = ["id", "type", "sessionId", "notes", "projectId", "taskId", "breakTypeId"];
const SILENCE = 15_000;
// Without a network a press is not sent as long as its Undo is offered, so that it can simply be dropped.
const UNDO = 6_000;

/** A request that ends by itself: a network may swallow it. */
async function ask(method, path, body) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SILENCE);
  try {
    return (await api.send(method, path, body, { signal: stop.signal })).data;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a refusal decides; otherwise the same is sent again. */
function isDecided(error) {
  return error instanceof Refusal && error.status < 500 && ![401, 408, 421, 425, 429].includes(error.status) &&
    error.code !== "password_change_required";
}

function wire(punch) {
  const sent = { at: new Date(punch.at).toISOString() };
  for (const field of FIELDS) if (punch[field] != null) sent[field] = punch[field];
  return sent;
}

// Punches that wait for their clock-out go along with new ones; alone they were answered already.
const isNew = (punch) => punch.state === "pending";

/** Marks the next punches as sent: a hundred, or as far as the first one undone, which is taken back before the rest.
   */
function claim(held) {
  const open = held.filter((punch) => punch.state !== "refused");
  const isFresh = (punch) => isNew(punch) && now() - punch.at < UNDO;
  if (navigator.onLine === false && open.some(isFresh)) return { value: { isHeld: true } };
  const end = open.findIndex((punch) => punch.undone);
  if (end >= 0 && open[end].applied) return { value: { undo: open[end] } };
  const batch = (end < 0 ? open : open.slice(0, end + 1)).slice(0, 100);
  if (!batch.some(isNew)) return { value: {} };
  const put = batch.map((punch) => ({ ...punch, attempted: true }));
  return { put, value: { batch: put } };
}

/**
 * Sends until nothing is left. `report(punches, results)` gets the outcome of each, `takeClock(clock)` the state then.
 */
export async function deliver(owner, { report, takeClock }) {
  if (!owner) return;
  const root = `/v1/organizations/${owner.split(" ")[1]}`;
  let isStale = false;
  for (;;) {
    const { value } = await change(owner, claim);
    if (value.isHeld) throw Object.assign(new NoConnection("No network."), { retryAfter: UNDO / 1000 });
    if (value.undo) isStale = !(await takeBack(owner, root, value.undo, { report, takeClock }));
    else if (value.batch) isStale = (await sendBatch(owner, root, value.batch, report)) || isStale;
    else break;
  }
  if (isStale) takeClock(await ask("GET", `${root}/clock`));
}

/** Answers whether something was applied. */
async function sendBatch(owner, root, batch, report) {
  let results;
  try {
    ({ results } = await ask("POST", `${root}/timeEntries/punches`, { punches: batch.map(wire) }));
  } catch (error) {
    if (error.status === 401) error.isFinal = true;
    if (!isDecided(error)) throw error;
    results = batch.map(({ id }) => ({ id, status: "refused", problem: error.problem }));
  }
  const answers = new Map(results.map((result) => [result.id, result]));
  const told = await change(owner, (held) => {
    const [put, remove, value] = [[], [], []];
    for (const punch of held) {
      const answer = answers.get(punch.id);
      if (!answer) continue;
      const status = /^(dup|prop)/.test(answer.status) ? "applied" : answer.status;
      const fate = punch.undone && status !== "applied" ? "dropped" : status;
      const { timeEntryId = null, problem, dropped = [] } = answer;
      value.push({ punch, status: fate, timeEntryId, problem, dropped });
      if (status === "applied" && punch.undone) put.push({ ...punch, applied: true });
      else if (status === "applied" || punch.undone) remove.push(punch.id);
      else put.push({ ...punch, state: status, problem: answer.problem });
    }
    return { put, remove, value };
  });
  report(told.punches, told.value.filter(({ punch, status }) => status !== punch.state));
  return told.value.some(({ status }) => status === "applied");
}

/** Undoes an applied punch; returns whether the service has set the state shown now. */
async function takeBack(owner, root, punch, { report, takeClock }) {
  let clock = null;
  let problem = null;
  try {
    clock = await ask("POST", `${root}/timeEntries/punches/${punch.id}/undo`);
  } catch (error) {
    if (error.status === 401) error.isFinal = true;
    if (!isDecided(error)) throw error;
    problem = error.problem;
  }
  if (clock) takeClock(clock);
  const { punches } = await change(owner, () => ({ remove: [punch.id] }));
  report(punches, [{ punch, status: clock ? "undone" : "refused", problem, dropped: [] }]);
  return Boolean(clock);
}

// The lists of the Clock screen: entries of the week, segments since yesterday, projects, breaks,
// sessions.
import { api, NoConnection, org } from "./api.js";
import { addDays, localDate, startOfWeek } from "./format.js";
import { recall, remember } from "./idb.js";
import { now } from "./servertime.js";
import { store } from "./store.js";

const KINDS = ["timeEntry", "segment", "project", "breakType", "session"];
const mine = () => store.get("membership").userId;
export const zone = () => store.get("membership").timeZone || store.get("organization").timeZone;
export const today = () => localDate(now(), zone());
const key = () => `lists ${mine()} ${store.get("membership").organizationID}`;
const own = (kind) => [...store.records(kind).values()].filter(({ userId }) => userId === mine());
const latestFirst = (a, b) => Date.parse(b.clockInTime) - Date.parse(a.clockInTime);

export const weekStart = () => startOfWeek(today(), store.get("organization").policy?.weekStart);

/** The person's entries since the week began, the newest first. */
export function weekEntries() {
  const first = weekStart();
  return own("timeEntry").filter(({ date }) => date >= first && date <= today()).sort(latestFirst);
}

export const ownSegments = () => own("segment");

/** The day of a segment: where it began. */
export const dayOf = (segment) => localDate(Date.parse(segment.startTime), zone());

const byName = (a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1);
export const projects = () => [...store.records("project").values()].filter(({ archived }) => !archived).sort(byName);
export const breakTypes = () => [...store.records("breakType").values()].filter(({ archived }) => !archived);

/** The person's sessions of today, the earliest first. */
export function sessions() {
  const assigned = ({ assignees }) => !assignees || assignees.some(({ id }) => id === mine());
  const start = ({ startTime }) => (startTime ? Date.parse(startTime) : Infinity);
  return [...store.records("session").values()].filter((one) => one.date === today() && assigned(one))
    .sort((a, b) => start(a) - start(b) || a.title.localeCompare(b.title));
}

/** Takes a whole list: missing records are gone. */
function replace(kind, list, isListed) {
  const ids = new Set(list.map(({ id }) => id));
  const gone = [...store.records(kind).values()].filter((record) => isListed(record) && !ids.has(record.id));
  for (const { id } of gone) store.drop(kind, id);
  for (const record of list) store.take(kind, record);
}

/** Shows the lists kept on the device, until the service has answered. */
async function fromDevice() {
  const kept = await recall(key());
  for (const kind of KINDS) {
    for (const record of kept?.[kind] || []) if (!store.records(kind).has(record.id)) store.take(kind, record);
  }
}

let saving = 0;

/** Keeps the lists shown for a start without a connection. */
export function keepOnDevice() {
  clearTimeout(saving);
  saving = setTimeout(() => store.get("membership") && remember(key(), {
    timeEntry: weekEntries(), segment: ownSegments().slice(-200), project: projects(), breakType: breakTypes(),
    session: sessions(),
  }), 2000);
}

/** Reads the lists; without a connection those kept stand. */
export async function load() {
  for (const session of store.get("membership").sessions || []) store.take("session", session);
  await fromDevice();
  const userId = mine();
  const first = weekStart();
  const [yesterday, endDate] = [addDays(today(), -1), today()];
  const lists = [
    ["timeEntry", "/timeEntries", "timeEntries", { userId, startDate: first, endDate },
      (one) => one.userId === userId && one.date >= first && one.date <= endDate],
    ["segment", "/segments", "segments", { userId, startDate: yesterday, endDate },
      (one) => one.userId === userId && dayOf(one) >= yesterday],
    ["project", "/projects", "projects", { archived: false }, (one) => !one.archived],
    ["breakType", "/breakTypes", "breakTypes", { archived: false }, (one) => !one.archived],
  ];
  try {
    await Promise.all(lists.map(async ([kind, path, name, query, isListed]) =>
      replace(kind, await api.all(org(path), { ...query, limit: 1000 }, name), isListed)));
    keepOnDevice();
  } catch (error) {
    if (!(error instanceof NoConnection)) throw error;
  }
}

/** Calls `act` when any of the lists changes; returns a function that ends that. */
export function onChange(act) {
  const ends = KINDS.map((kind) => store.on(`record:${kind}`, () => {
    keepOnDevice();
    act();
  }));
  return () => ends.forEach((end) => end());
}

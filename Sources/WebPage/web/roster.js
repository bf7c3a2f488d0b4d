// Loads the members who are in and out, and updates them by the stream; asks again only for facts that a change lacks.
import { api, org } from "./api.js";
import { People, purposeOf } from "./presence.js";
import { now } from "./servertime.js";
import { store } from "./store.js";

const PAGE = { limit: 1000 };

export class Roster {
  people = new People(store.get("organization").timeZone);
  /** The activities of people, by id: projects, tasks and break types. */
  purposes = new Map();
  stale = new Set();
  offs = [];
  refreshedAt = 0;

  /** `changed()` is called, a moment later and once for many changes, when something is to be shown. */
  constructor(changed) {
    this.changed = changed;
    this.offs.push(store.on("change", (change) => this.hear(change)));
    // The stream has restarted: it brings what was missed, and reading again is the proof.
    this.offs.push(store.on("stream", () => this.begun && this.mark("all")));
  }

  stop() {
    for (const off of this.offs) off();
    clearTimeout(this.timer);
    clearTimeout(this.showing);
    this.stopped = true;
  }

  /** Reads everything: members, who is in, today's hours, reminders. */
  async load() {
    this.heard = [];
    this.begun = this.loading = true;
    this.stale.clear();
    try {
      const answers = await Promise.all([api.all(org("/members"), PAGE, "members"), presence(), report(), reminders()]);
      if (this.stopped) return;
      const [members, rows, hours, reminded] = answers;
      this.people.takeAll(members, rows, hours.data.rows, reminded);
    } finally {
      this.loading = false;
    }
    // A change that came meanwhile may be in an answer or not: it is folded in once more.
    for (const change of this.heard) this.fold(change);
    await this.loadPurposes();
    this.show();
  }

  /** Names and colors are read once one is needed that is not known; changes of them come by the stream. */
  async loadPurposes() {
    const at = this.people.in().map((person) => this.people.at(person)).filter(Boolean);
    const unknown = at.map(purposeOf).filter(({ id }) => id && !this.purposes.has(id));
    for (const { id } of unknown) this.purposes.set(id, {});
    const lists = new Set(unknown.map(({ list }) => list));
    const found = await Promise.all([...lists].map((list) => api.all(org(`/${list}`), PAGE, list).catch(() => [])));
    for (const purpose of found.flat()) this.purposes.set(purpose.id, purpose);
  }

  hear(change) {
    const { resource, resourceId, data } = change;
    if (["project", "task", "breakType"].includes(resource)) this.purposes.set(resourceId, data || {});
    if (this.loading) this.heard.push(change);
    this.fold(change);
    if (resource === "segment") this.loadPurposes().then(() => this.show());
    this.show();
  }

  fold(change) {
    const stale = this.people.apply(change, now());
    if (stale) this.mark(stale);
  }

  /** The answer to the viewer's own act is folded in at once; the stream repeats it. */
  take(entry) {
    this.fold({ resource: "timeEntry", resourceId: entry.id, time: entry.updatedAt, data: entry });
    this.show();
  }

  show() {
    this.showing ||= setTimeout(() => {
      this.showing = null;
      if (!this.stopped) this.changed();
    }, 20);
  }

  mark(stale) {
    this.stale.add(stale);
    if (this.timer) return;
    const wait = this.stale.size > 5 ? 3000 : 300;
    this.timer = setTimeout(() => this.refresh(), Math.max(wait, this.refreshedAt + 1000 - performance.now()));
  }

  async refresh() {
    this.refreshedAt = performance.now();
    const stale = [...this.stale];
    this.stale.clear();
    try {
      if (this.loading) this.stale = new Set(stale);
      else if (stale.includes("all") || stale.length > 5) await this.load();
      else for (const userId of stale) await this.hours(userId);
      this.timer = null;
      if (this.stale.size) this.mark([...this.stale][0]);
    } catch (error) {
      // Without a connection, the next stream starts all over.
      const again = error.status && !this.stopped;
      this.timer = again ? setTimeout(() => this.refresh(), (error.retryAfter || 10) * 1000) : null;
      this.stale.add("all");
    }
    this.show();
  }

  /** Today's hours of one person, by the days of the person's zone. */
  async hours(userId) {
    const { data } = await report({ userId, timeZone: this.people.people.get(userId)?.zone });
    this.people.takeReport(data.rows, Date.parse(data.asOf), userId);
  }

  /** At each second: the end of a day resets the hours. */
  tick() {
    const time = now();
    this.midnight ??= this.people.nextMidnight(time);
    if (time < this.midnight) return;
    this.midnight = null;
    this.mark("all");
  }
}

const rowsWithProjects = (people) => people.in().some((person) => people.at(person)?.projectId);

const report = (query) => api.get(org("/reports/hours"), { range: "today", groupBy: "user", ...query });

/** Everyone who is in, with the instant at which it was so. */
async function presence() {
  const rows = [];
  let cursor;
  do {
    const { data } = await api.get(org("/presence"), { ...PAGE, cursor });
    const at = Date.parse(data.serverTime);
    for (const row of data.presence) rows.push({ ...row, at });
    cursor = data.nextCursor;
  } while (cursor);
  return rows;
}

/** The entries of the last reminders; older ones are of entries that exceed the policy's maximum. */
async function reminders() {
  const { data } = await api.get(org("/reminders"), { limit: 200 });
  return data.reminders.map((reminder) => reminder.timeEntryId);
}

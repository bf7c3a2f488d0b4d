// The people who are in and out: the answers of the service, and each change of the stream folded in. Knows no elements.
import { addDays, instantOf, localDate } from "./format.js";

const order = new Intl.Collator();
const milliseconds = (instant) => (typeof instant === "number" ? instant : Date.parse(instant));

/** The first and the last instant of the date that `now` has in a zone; kept until the date is over. */
const days = new Map();

export function dayOf(zone, now) {
  const known = days.get(zone);
  if (known && now >= known.start && now < known.end) return known;
  const date = localDate(now, zone);
  const midnight = (date) => milliseconds(instantOf(date, "00:00", zone) || instantOf(date, "01:00", zone));
  const day = { date, start: midnight(date), end: midnight(addDays(date, 1)) };
  days.set(zone, day);
  return day;
}

/** Whole seconds from one instant to another, as far as they lie in today's date of the zone. */
function secondsOf(zone, from, to, now) {
  const day = dayOf(zone, now);
  return Math.max(0, Math.floor((Math.min(to, day.end) - Math.max(from, day.start)) / 1000));
}

export class People {
  people = new Map();
  reminded = new Set();
  loadedAt = 0;

  constructor(zone) {
    this.zone = zone;
  }

  /** Takes everything as read again. */
  takeAll(members, rows, hours, reminded) {
    const ids = new Set(members.map((member) => member.userId));
    for (const id of this.people.keys()) if (!ids.has(id)) this.people.delete(id);
    for (const member of members) this.takeMember(member);
    this.reminded = new Set(reminded);
    this.takePresence(rows);
    this.takeReport(hours);
  }

  /** The person of a member; `member` is a record of `listMembers` or of the stream. */
  takeMember(member) {
    const person = this.people.get(member.userId) || { userId: member.userId, closed: 0, lastOut: null, entry: null };
    person.name = member.name;
    person.active = member.active;
    person.zone = member.timeZone || this.zone;
    this.people.set(member.userId, person);
    return person;
  }

  /** Everyone who is in, as `getPresence` answered, each row at its `at`; everybody else is out. */
  takePresence(rows) {
    for (const person of this.people.values()) person.entry = person.segment = person.ended = null;
    for (const { at, ...row } of rows) {
      this.loadedAt = at;
      const person = this.people.get(row.userId) || this.takeMember({ ...row, active: true });
      person.entry = { id: row.timeEntryId, since: milliseconds(row.clockInTime) };
      person.segment = row.segment ? running(row.segment, row.timeEntryId) : null;
      person.closed = Math.max(0, row.secondsToday - secondsOf(person.zone, person.entry.since, at, at));
    }
  }

  /** Today's hours: a report of all, of whom members who are in keep the presence's hours, or of `userId` alone. */
  takeReport(rows, asOf, userId) {
    const of = new Map(rows.map((row) => [row.userId, row]));
    for (const person of userId ? [this.people.get(userId)].filter(Boolean) : this.people.values()) {
      const row = of.get(person.userId);
      person.ended = null;
      if (row?.lastOut || !row) person.lastOut = row ? milliseconds(row.lastOut) : null;
      if (person.entry && !userId) continue;
      const open = person.entry ? secondsOf(person.zone, person.entry.since, asOf, asOf) : 0;
      person.closed = Math.max(0, (row ? row.seconds : 0) - open);
    }
  }

  /** Folds a change in. Answers whose hours of today to ask for: an id, "all" (read everything), or null. */
  apply(change, now) {
    const data = change.data;
    const id = change.resourceId;
    switch (change.resource) {
      case "timeEntry":
        return data ? this.entry(data, change, now) : this.lost("entry", id) || "all";
      case "segment":
        return data ? this.segment(data) : this.lost("segment", id);
      case "member":
        if (data) this.takeMember(data);
        else this.people.delete(id);
        return null;
      case "reminder":
        if (data) this.reminded.add(data.timeEntryId);
    }
    return null;
  }

  /** A deleted entry or segment: it runs no more. */
  lost(what, id) {
    for (const person of this.people.values()) {
      if (person[what]?.id !== id) continue;
      person[what] = null;
      return what === "entry" ? person.userId : null;
    }
    return null;
  }

  segment(data) {
    const person = this.people.get(data.userId);
    if (!person) return "all";
    if (!data.endTime && data.timeEntryId) person.segment = running(data, data.timeEntryId);
    else if (person.segment?.id === data.id) person.segment = null;
    return null;
  }

  entry(data, change, now) {
    const person = this.people.get(data.userId);
    if (!person) return "all";
    const since = milliseconds(data.clockInTime);
    // Hours read about then may include this change already: they are asked for, not added.
    const fresh = milliseconds(change.time) > this.loadedAt + 2000;
    if (!data.clockOutTime) {
      const known = person.entry?.id === data.id;
      // A clock-out was undone: the seconds that it added run again.
      if (person.ended?.id === data.id) person.closed = Math.max(0, person.closed - person.ended.seconds);
      person.ended = null;
      person.entry = { id: data.id, since };
      return known || (fresh && data.version === 1) ? null : person.userId;
    }
    const ended = milliseconds(data.clockOutTime);
    if (person.ended?.id === data.id && person.ended.version === data.version) return null;
    if (person.entry?.id !== data.id) return person.userId;
    const seconds = secondsOf(person.zone, since, ended, now);
    person.ended = { id: data.id, version: data.version, seconds };
    person.entry = person.segment = null;
    person.closed += seconds;
    person.lastOut = Math.max(person.lastOut || 0, ended);
    return fresh ? null : person.userId;
  }

  /** Seconds of today, the running entry up to `now`. */
  today(person, now) {
    return person.closed + (person.entry ? secondsOf(person.zone, person.entry.since, now, now) : 0);
  }

  /** The open segment of the entry that runs. */
  at(person) {
    return person.entry && person.segment?.entryId === person.entry.id ? person.segment : null;
  }

  /** Whether somebody's clock-out was forgotten: reminded of already, or open for longer than the policy's maximum. */
  forgotten(person, now, maximumSeconds) {
    if (!person.entry) return false;
    return now - person.entry.since > maximumSeconds * 1000 || this.reminded.has(person.entry.id);
  }

  /** The people who are in, for longest first. */
  in() {
    return [...this.people.values()].filter((person) => person.entry).sort((a, b) => a.entry.since - b.entry.since);
  }

  /** The people who are out, the last one first, then by name. */
  out() {
    const out = [...this.people.values()].filter((person) => !person.entry && person.active);
    return out.sort((a, b) => (b.lastOut || 0) - (a.lastOut || 0) || order.compare(a.name, b.name));
  }

  /** The end of the first day to end: hours restart then. */
  nextMidnight(now) {
    const zones = new Set([this.zone, ...[...this.people.values()].map((person) => person.zone)]);
    return Math.min(...[...zones].map((zone) => dayOf(zone, now).end));
  }
}

function running(segment, entryId) {
  const { id, kind, name, projectId, taskId, breakTypeId } = segment;
  return { id, kind, name, projectId, taskId, breakTypeId, entryId, since: milliseconds(segment.startTime) };
}

/** The purpose of a segment: the id, and the list that it stands in. */
export function purposeOf({ breakTypeId, projectId, taskId }) {
  if (breakTypeId) return { id: breakTypeId, list: "breakTypes" };
  return projectId ? { id: projectId, list: "projects" } : { id: taskId, list: "tasks" };
}

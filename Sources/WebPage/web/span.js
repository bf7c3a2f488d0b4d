// From a date, a start and an end on the clock to two instants: an end that is not after the start is the next day's,
// and nights on which the clocks change are pointed out. Pure; used by the entry form.
import { addDays, instantOf, localDate, wallTime } from "./format.js";

const MINUTE = 60_000;

/** The instants, in milliseconds, at which the clock of a zone shows a time on a date: none, one, or two. */
export function instantsAt(date, clock, zone) {
  const text = instantOf(date, clock, zone);
  if (!text) return [];
  const first = Date.parse(text);
  const again = [30, 60, 120].map((minutes) => first + minutes * MINUTE);
  const second = again.find((at) => localDate(at, zone) === date && wallTime(at, zone) === clock);
  return second ? [first, second] : [first];
}

/** The first instant of a date in a zone, even if its midnight is skipped. */
export function startOfDay(date, zone) {
  for (let minute = 0; minute < 180; minute += 15) {
    const [at] = instantsAt(date, `0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`, zone);
    if (at !== undefined) return at;
  }
  return startOfDay(addDays(date, 1), zone);
}

/** The fields' display of an entry; `endDays` says how many days later it ends, if the times alone do not. */
export function fieldsOf(from, to, zone) {
  const date = localDate(from, zone);
  const shown = { date, start: wallTime(from, zone), startAgain: isSecond(from, zone), end: "", endDays: null };
  if (to === null) return { ...shown, endAgain: false };
  shown.end = wallTime(to, zone);
  shown.endAgain = isSecond(to, zone);
  const endDate = localDate(to, zone);
  if (spanOf(shown, zone).endDate !== endDate) shown.endDays = daysBetween(date, endDate);
  return shown;
}

/** Whether an instant is the second at which its clock shows the same time. */
function isSecond(at, zone) {
  const [, second] = instantsAt(localDate(at, zone), wallTime(at, zone), zone);
  return second !== undefined && at >= second;
}

function daysBetween(from, to) {
  return Math.round((Date.parse(to + "T00:00:00Z") - Date.parse(from + "T00:00:00Z")) / 86_400_000);
}

/**
 * The span that fields name: `from`, `to` (milliseconds; null if the clocks skip that time, or nothing is entered),
 * `endDate`, and whether either of two times may be meant (`startTwice`, `endTwice`), of which `startAgain`, `endAgain`
 * choose the second.
 */
export function spanOf({ date, start, end, startAgain, endAgain, endDays = null }, zone) {
  const span = { from: null, to: null, endDate: null, startTwice: false, endTwice: false };
  if (!date) return span;
  if (start) {
    const starts = instantsAt(date, start, zone);
    span.startTwice = starts.length > 1;
    span.from = choose(starts, startAgain);
  }
  if (!end) return span;
  const days = endDays ?? (isSameDay(instantsAt(date, end, zone), span.from, start, end) ? 0 : 1);
  span.endDate = addDays(date, days);
  const all = instantsAt(span.endDate, end, zone);
  const ends = all.filter((at) => at > span.from);
  span.endTwice = ends.length > 1;
  span.to = choose(ends.length ? ends : all, endAgain);
  return span;
}

/** Whether an end is meant on the start's own date: it is after it then, or skipped, or the same time. */
function isSameDay(ends, from, start, end) {
  if (!start || start === end) return true;
  return ends.length ? ends.some((at) => at > from) : end > start;
}

function choose(instants, second) {
  return instants[second ? 1 : 0] ?? instants[0] ?? null;
}

/** The differences of two sets of fields, as times to send; an unchanged time keeps its seconds. */
export function changedTimes(before, after, entry, zone) {
  const times = {};
  const span = spanOf(after, zone);
  const rest = (instant) => Date.parse(instant) % MINUTE;
  const moved = before.date !== after.date;
  if (moved || before.start !== after.start || before.startAgain !== after.startAgain) {
    times.clockInTime = instantText(span.from + (before.start === after.start ? rest(entry.clockInTime) : 0));
  }
  if (entry.clockOutTime === null || !after.end) return times;
  const former = spanOf(before, zone);
  if (span.endDate !== former.endDate || before.end !== after.end || before.endAgain !== after.endAgain) {
    times.clockOutTime = instantText(span.to + (before.end === after.end ? rest(entry.clockOutTime) : 0));
  }
  return times;
}

/** An instant as the API takes it. */
export function instantText(milliseconds) {
  return new Date(milliseconds).toISOString();
}

/**
 * The instant that a clock time means inside an entry from `from` to `to` (null: still running), the one nearest to
 * `near`, its value before; a time outside is taken on the day of `near`.
 */
export function instantWithin(clock, from, to, near, zone) {
  const first = localDate(from, zone);
  const last = addDays(localDate(to ?? near, zone), 1);
  let inside = null;
  for (let date = first; date <= last; date = addDays(date, 1)) {
    for (const at of instantsAt(date, clock, zone)) {
      // An entry begins and ends within a minute, and inputs show whole ones.
      const fits = at > from - MINUTE && (to === null || at <= to);
      if (fits && (inside === null || Math.abs(at - near) < Math.abs(inside - near))) inside = at;
    }
  }
  return inside ?? choose(instantsAt(localDate(near, zone), clock, zone), false);
}

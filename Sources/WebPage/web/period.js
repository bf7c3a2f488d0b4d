// The days, weeks and months that screens show: by the person's zone and the organization's first day of the week.
import { addDays, localDate, startOfWeek } from "./format.js";
import { now } from "./servertime.js";
import { store } from "./store.js";

/** The zone of the person who looks at the page: their own in this organization, else the organization's. */
export function zoneOfPerson() {
  return store.get("membership")?.timeZone ?? store.get("organization").timeZone;
}

/** A zone as it is read: "America/New York". */
export const zoneName = (zone) => zone.replace(/_/g, " ");

export function weekStart() {
  return store.get("organization").policy.weekStart;
}

/** Today's date of the person. */
export function today() {
  return localDate(now(), zoneOfPerson());
}

/** The first and the last date of the day, week or month that a date lies in. */
export function datesOf(kind, date) {
  if (kind === "day") return { from: date, to: date };
  if (kind === "week") {
    const from = startOfWeek(date, weekStart());
    return { from, to: addDays(from, 6) };
  }
  const from = date.slice(0, 8) + "01";
  return { from, to: addDays(addDays(from, 31).slice(0, 8) + "01", -1) };
}

/** A date of the period before (`-1`) or after (`1`) that of `date`. */
export function step(kind, date, direction) {
  const { from, to } = datesOf(kind, date);
  return direction < 0 ? datesOf(kind, addDays(from, -1)).from : addDays(to, 1);
}

/** Dates from the first to the last. */
export function eachDate({ from, to }) {
  const dates = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  return dates;
}

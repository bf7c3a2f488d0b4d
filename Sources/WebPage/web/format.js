// Times, dates and durations as a person reads them, in the language shown and the zone given.
import { language } from "./words.js";

const DAY = 86_400_000;
const cache = new Map();

function formatter(zone, options, locale = language()) {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  if (!cache.has(key)) {
    const tag = locale === "en" ? "en-US" : locale;
    cache.set(key, new Intl.DateTimeFormat(tag, { ...options, timeZone: zone }));
  }
  return cache.get(key);
}

const milliseconds = (instant) => (typeof instant === "number" ? instant : Date.parse(instant));
const two = (number) => String(number).padStart(2, "0");

/** "0:05:30" */
export function stopwatch(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** "8h 30m"; a negative length has one sign before it. */
export function hours(seconds) {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  return `${seconds <= -60 ? "-" : ""}${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** "9:00 AM" */
export function time(instant, zone) {
  return formatter(zone, { hour: "numeric", minute: "2-digit" }).format(milliseconds(instant)).replace(/\u202f/g, " ");
}

/** A local date as an instant of UTC, in which it is shown. */
const noon = (localDate) => Date.parse(`${localDate}T12:00:00Z`);

/** "Thu, Nov 26" */
export const date = (localDate) =>
  formatter("UTC", { weekday: "short", month: "short", day: "numeric" }).format(noon(localDate));

/** "Thursday, November 26, 2026" */
export const longDate = (localDate) =>
  formatter("UTC", { weekday: "long", year: "numeric", month: "long", day: "numeric" }).format(noon(localDate));

/** "Nov 26" */
export const shortDate = (localDate) => formatter("UTC", { month: "short", day: "numeric" }).format(noon(localDate));

/** "Mon" */
export const weekday = (localDate) => formatter("UTC", { weekday: "short" }).format(noon(localDate));

/** "Nov 23 – 29, 2026" */
export function range(from, to) {
  const options = { year: "numeric", month: "short", day: "numeric" };
  if (from === to) return formatter("UTC", options).format(noon(from));
  return formatter("UTC", options).formatRange(noon(from), noon(to)).replace(/[\u2009\u202f]/g, " ");
}

/** The date and the clock of an instant in a zone, as numbers. */
function parts(instant, zone) {
  const options = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
    second: "2-digit", hourCycle: "h23" };
  const found = formatter(zone, options, "en-CA").formatToParts(milliseconds(instant));
  return Object.fromEntries(found.map(({ type, value }) => [type, value]));
}

/** "2026-11-26" */
export function localDate(instant, zone) {
  const { year, month, day } = parts(instant, zone);
  return `${year.padStart(4, "0")}-${month}-${day}`;
}

/** "09:00", as inputs have it. */
export function wallTime(instant, zone) {
  const { hour, minute } = parts(instant, zone);
  return `${hour}:${minute}`;
}

/** The local date `days` later. */
export const addDays = (localDate, days) => new Date(noon(localDate) + days * DAY).toISOString().slice(0, 10);

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The first day of a date's week. */
export function startOfWeek(localDate, weekStart = "monday") {
  const back = (new Date(noon(localDate)).getUTCDay() - WEEKDAYS.indexOf(weekStart) + 7) % 7;
  return addDays(localDate, -back);
}

/** Minutes by which a zone is ahead of UTC at an instant. */
function offset(instant, zone) {
  const { year, month, day, hour, minute, second } = parts(instant, zone);
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  return Math.round((local - Math.floor(instant / 1000) * 1000) / 60_000);
}

/** A local date and "09:00" as an instant with its offset; null if clocks skip it, the earlier of two. */
export function instantOf(localDate, wall, zone) {
  const utc = Date.parse(`${localDate}T${wall}:00Z`);
  if (Number.isNaN(utc)) return null;
  const offsets = [offset(utc - DAY, zone), offset(utc + DAY, zone)].sort((a, b) => b - a);
  for (const minutes of offsets) {
    const instant = utc - minutes * 60_000;
    if (offset(instant, zone) !== minutes) continue;
    const size = Math.abs(minutes);
    return `${localDate}T${wall}:00${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  }
  return null;
}

/** Notes as they were written: the service answers `<` and `>` as entities. */
export const plain = (notes) => (notes || "").replace(/&lt;/g, "<").replace(/&gt;/g, ">");

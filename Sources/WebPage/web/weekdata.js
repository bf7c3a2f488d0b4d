// The rows of a week sheet: a day's ins and outs, cut at midnight, with break and hours out of the report for payroll.
import { addDays, plain } from "./format.js";
import { eachDate, zoneName } from "./period.js";
import { startOfDay } from "./span.js";

/** More ins and outs than this on a day are shown as the first in and the last out. */
const MOST_PIECES = 4;

/**
 * A row for each date: `{date, pieces: [{from, to}], entries, breakSeconds, paidSeconds, notes}`; `to` is null if the
 * entry is still open.
 */
export function sheetRows(dates, entries, report, zone) {
  const ofDay = new Map(report.rows.map((row) => [row.day, row]));
  const inOrder = [...entries].sort((a, b) => Date.parse(a.clockInTime) - Date.parse(b.clockInTime));
  return eachDate(dates).map((date) => {
    const begin = startOfDay(date, zone);
    const end = startOfDay(addDays(date, 1), zone);
    const here = inOrder.filter((entry) => lies(entry, begin, end, Date.parse(report.asOf)));
    const pieces = here.map((entry) => pieceOf(entry, begin, end, Date.parse(report.asOf)));
    const begun = here.filter((entry) => Date.parse(entry.clockInTime) >= begin);
    const row = ofDay.get(date);
    return {
      date,
      entries: here.length,
      pieces: pieces.length > MOST_PIECES ? [{ from: pieces[0].from, to: pieces[pieces.length - 1].to }] : pieces,
      breakSeconds: row ? row.unpaidBreakSeconds + row.deductedBreakSeconds : 0,
      paidSeconds: row ? row.paidSeconds : 0,
      notes: begun.map((entry) => noteOf(entry, zone)).filter(Boolean),
    };
  });
}

function lies(entry, begin, end, asOf) {
  const from = Date.parse(entry.clockInTime);
  const to = entry.clockOutTime === null ? Math.max(asOf, from + 1) : Date.parse(entry.clockOutTime);
  return from < end && to > begin;
}

function pieceOf(entry, begin, end, asOf) {
  const from = Math.max(begin, Date.parse(entry.clockInTime));
  if (entry.clockOutTime === null && asOf < end) return { from, to: null };
  return { from, to: Math.min(end, entry.clockOutTime === null ? end : Date.parse(entry.clockOutTime)) };
}

/** An entry of another zone names it: its times are shown in the person's. */
function noteOf(entry, zone) {
  const notes = plain(entry.notes).replace(/\s+/g, " ");
  return entry.timeZone === zone ? notes : `${notes} (${zoneName(entry.timeZone)})`.trim();
}

// Times, dates and durations, also where clocks change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const format = await load("format.js");
const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";

test("durations are written as on a stopwatch, and as hours and minutes", () => {
  assert.equal(format.stopwatch(330), "0:05:30");
  assert.equal(format.stopwatch(9915.9), "2:45:15");
  assert.equal(format.stopwatch(360_000), "100:00:00");
  assert.equal(format.stopwatch(-5), "0:00:00");
  assert.equal(format.hours(30_600), "8h 30m");
  assert.equal(format.hours(59), "0h 0m");
  assert.equal(format.hours(-300), "-0h 5m");
  assert.equal(format.hours(-30), "0h 0m");
});

test("times and dates are those of the zone, with an ordinary space", () => {
  assert.equal(format.time("2026-11-26T08:00:00Z", BERLIN), "9:00 AM");
  assert.equal(format.time(Date.parse("2026-11-26T22:02:00Z"), NEW_YORK), "5:02 PM");
  assert.equal(format.date("2026-11-26"), "Thu, Nov 26");
  assert.equal(format.shortDate("2026-11-26"), "Nov 26");
  assert.equal(format.weekday("2026-11-23"), "Mon");
  assert.equal(format.range("2026-11-23", "2026-11-29"), "Nov 23 – 29, 2026");
});

test("a date ends at midnight in the zone", () => {
  assert.equal(format.localDate("2026-11-26T22:59:59.999Z", BERLIN), "2026-11-26");
  assert.equal(format.localDate("2026-11-26T23:00:00Z", BERLIN), "2026-11-27");
  assert.equal(format.localDate("2026-11-27T04:59:59Z", NEW_YORK), "2026-11-26");
  assert.equal(format.localDate("2026-11-20T18:15:00Z", "Asia/Kathmandu"), "2026-11-21");
});

test("days are added by the calendar, over months, years, leap days and changes of clocks", () => {
  assert.equal(format.addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(format.addDays("2028-02-28", 1), "2028-02-29");
  assert.equal(format.addDays("2026-03-28", 2), "2026-03-30");
  assert.equal(format.addDays("2026-10-26", -2), "2026-10-24");
});

test("a week begins on the organization's day", () => {
  assert.equal(format.startOfWeek("2026-11-26"), "2026-11-23");
  assert.equal(format.startOfWeek("2026-11-23", "monday"), "2026-11-23");
  assert.equal(format.startOfWeek("2026-11-26", "sunday"), "2026-11-22");
  assert.equal(format.startOfWeek("2026-11-26", "friday"), "2026-11-20");
});

for (const { zone, spring, autumn, repeated, before, after } of [
  { zone: BERLIN, spring: "2026-03-29", autumn: "2026-10-25", repeated: "02:30", before: "+01:00", after: "+02:00" },
  { zone: NEW_YORK, spring: "2026-03-08", autumn: "2026-11-01", repeated: "01:30", before: "-05:00", after: "-04:00" },
]) {
  test(`clocks that go forward skip a time: ${zone}`, () => {
    assert.equal(format.instantOf(spring, "02:30", zone), null);
    assert.equal(format.instantOf(spring, "01:59", zone), `${spring}T01:59:00${before}`);
    assert.equal(format.instantOf(spring, "03:00", zone), `${spring}T03:00:00${after}`);
    assert.equal(format.instantOf(spring, "00:00", zone), `${spring}T00:00:00${before}`);
  });

  test(`clocks that go back repeat a time, of which the earlier is meant: ${zone}`, () => {
    const earlier = `${autumn}T${repeated}:00${after}`;
    assert.equal(format.instantOf(autumn, repeated, zone), earlier);
    assert.equal(format.wallTime(earlier, zone), repeated);
    assert.equal(format.wallTime(Date.parse(earlier) + 3_600_000, zone), repeated);
    assert.equal(format.instantOf(autumn, "12:00", zone), `${autumn}T12:00:00${before}`);
  });

  test(`each hour of the days on which clocks change comes back as it was: ${zone}`, () => {
    for (const date of [spring, autumn]) {
      for (let hour = 0; hour < 24; hour += 1) {
        const wall = `${String(hour).padStart(2, "0")}:15`;
        const instant = format.instantOf(date, wall, zone);
        if (!instant) continue;
        assert.equal(format.wallTime(instant, zone), wall);
        assert.equal(format.localDate(instant, zone), date);
      }
    }
  });
}

test("what is no time is no instant", () => {
  assert.equal(format.instantOf("", "09:00", BERLIN), null);
  assert.equal(format.instantOf("2026-11-26", "", BERLIN), null);
});

test("notes are shown as they were written", () => {
  assert.equal(format.plain("&lt;b&gt; & co"), "<b> & co");
  assert.equal(format.plain(null), "");
});

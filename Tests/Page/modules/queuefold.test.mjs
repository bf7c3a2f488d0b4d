// A clock's display while punches wait: the fold of the queue over the service's state.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { elapsed, fold, workBefore } = await load("queuefold.js");
const ZONE = "Europe/Berlin";
const at = (time, date = "2026-11-26") => Date.parse(`${date}T${time}+01:00`);
const iso = (milliseconds) => new Date(milliseconds).toISOString();
let count = 0;
const press = (type, time, extra = {}) => (
  { id: `p${(count += 1)}`, type, at: at(time), state: "pending", attempted: false, ...extra });

const OUT = { status: "clocked-out", timeEntry: null, segment: null, sessionSeconds: 0, dailySeconds: 3600,
  serverTime: iso(at("09:00:00")) };
const entry = (time, date = "2026-11-26") => (
  { id: "e1", clockInTime: iso(at(time, date)), clockOutTime: null, date, notes: null, timeZone: ZONE, version: 1 });
const segment = (time, extra) => ({ id: "s1", timeEntryId: "e1", kind: extra.breakTypeId ? "break" : "work",
  projectId: null, taskId: null, breakTypeId: null, startTime: iso(at(time)), endTime: null, ...extra });
const inSince = (time, extra = {}) => {
  const seconds = (at("09:30:00") - at(time)) / 1000;
  return { status: "clocked-in", timeEntry: entry(time), segment: null, serverTime: iso(at("09:30:00")),
    sessionSeconds: seconds, dailySeconds: 3600 + seconds, ...extra };
};
const show = (clock, queue, time = "10:00:00", known = {}) => fold(clock, queue, at(time), { zone: ZONE, ...known });

test("without a queue the clock is what the service said, and seconds run on", () => {
  const view = show(inSince("09:00:00"), []);
  assert.equal(view.status, "clocked-in");
  assert.deepEqual(elapsed(view, at("10:00:00")), { session: 3600, daily: 7200 });
  assert.deepEqual(elapsed(show(OUT, []), at("10:00:00")), { session: 0, daily: 3600 });
});

test("a clock-in is shown before the service knows of it", () => {
  const view = show(OUT, [press("clockIn", "09:59:30", { notes: "Labels", sessionId: "x" })]);
  assert.equal(view.status, "clocked-in");
  assert.equal(view.entry.notes, "Labels");
  assert.equal(view.entry.sessionId, "x");
  assert.deepEqual(elapsed(view, at("10:00:00")), { session: 30, daily: 3630 });
});

test("an answer on its way flips nothing back: a punch that the clock has in it already changes nothing", () => {
  const punch = press("clockIn", "09:00:00", { attempted: true });
  assert.equal(show(inSince("09:00:00"), [punch]).entry.id, "e1");
  const out = press("clockOut", "09:20:00", { attempted: true });
  assert.equal(show(OUT, [out]).status, "clocked-out");
  assert.deepEqual(elapsed(show(OUT, [out]), at("10:00:00")), { session: 0, daily: 3600 });
});

test("a clock-out that the service has does not end the entry that was begun after it", () => {
  const queue = [press("clockOut", "09:00:00", { attempted: true }), press("clockIn", "09:10:00", { attempted: true })];
  const view = show(inSince("09:10:00"), queue);
  assert.equal(view.status, "clocked-in");
  assert.equal(view.entry.id, "e1");
});

test("a clock-in whose entry is known to have ended is not shown again", () => {
  const ended = { ...entry("08:00:00"), clockOutTime: iso(at("08:30:00")) };
  assert.equal(show(OUT, [press("clockIn", "08:00:00")], "10:00:00", { entries: [ended] }).status, "clocked-out");
});

test("a day offline adds up: in, project, break, back, out", () => {
  const queue = [press("clockIn", "09:00:00"), press("startSegment", "09:10:00", { projectId: "orchard" }),
    press("startSegment", "09:30:00", { breakTypeId: "lunch" }), press("stopSegment", "09:40:00"),
    press("clockOut", "09:50:00")];
  assert.equal(show(OUT, queue.slice(0, 2)).segment.projectId, "orchard");
  const onBreak = show(OUT, queue.slice(0, 3));
  assert.equal(onBreak.status, "on-break");
  assert.equal(onBreak.resumes.projectId, "orchard");
  const back = show(OUT, queue.slice(0, 4));
  assert.equal(back.status, "clocked-in");
  assert.equal(back.segment.projectId, "orchard");
  const done = show(OUT, queue);
  assert.equal(done.status, "clocked-out");
  assert.deepEqual(elapsed(done, at("10:00:00")), { session: 0, daily: 3600 + 3000 });
  const purposes = done.segments.map(({ projectId, breakTypeId }) => projectId || breakTypeId);
  assert.deepEqual(purposes, ["orchard", "lunch", "orchard"]);
  assert.equal(done.entries.length, 1);
});

test("starting a project while out clocks in; a break does not", () => {
  assert.equal(show(OUT, [press("startSegment", "09:55:00", { projectId: "cider" })]).status, "clocked-in");
  assert.equal(show(OUT, [press("startSegment", "09:55:00", { breakTypeId: "lunch" })]).status, "clocked-out");
});

test("the same project once more changes nothing, another one takes its place", () => {
  const clock = inSince("09:00:00", { segment: segment("09:05:00", { projectId: "orchard" }) });
  assert.equal(show(clock, [press("startSegment", "09:40:00", { projectId: "orchard" })]).segment.id, "s1");
  const view = show(clock, [press("startSegment", "09:40:00", { projectId: "cider" })]);
  assert.equal(view.segment.projectId, "cider");
  assert.equal(view.segments[0].endTime, iso(at("09:40:00")));
});

test("a break in the service's answer goes back to the work before it, over a break in between", () => {
  const segments = [
    { ...segment("09:00:00", { projectId: "orchard" }), id: "a", endTime: iso(at("09:10:00")) },
    { ...segment("09:10:00", { breakTypeId: "coffee" }), id: "b", endTime: iso(at("09:20:00")) },
  ];
  const running = segment("09:20:00", { breakTypeId: "lunch" });
  assert.equal(workBefore(running, segments).projectId, "orchard");
  const clock = inSince("09:00:00", { segment: running, status: "on-break" });
  const view = show(clock, [press("stopSegment", "09:45:00")], "10:00:00", { segments });
  assert.equal(view.segment.projectId, "orchard");
  assert.equal(show(clock, [press("stopSegment", "09:45:00")]).segment, null);
});

test("the end of a break that the service has does not end the work it went back to", () => {
  const clock = inSince("09:00:00", { segment: segment("09:45:00", { projectId: "orchard" }) });
  const view = show(clock, [press("stopSegment", "09:45:00", { attempted: true })]);
  assert.equal(view.segment.projectId, "orchard");
});

test("the order of presses counts, not the order of the list", () => {
  const queue = [press("clockOut", "09:30:00"), press("clockIn", "09:10:00")];
  assert.equal(show(OUT, queue).status, "clocked-out");
  assert.equal(elapsed(show(OUT, queue), at("10:00:00")).daily, 3600 + 1200);
});

test("today restarts at the person's midnight, also without an answer", () => {
  const seconds = { sessionSeconds: 53_940, dailySeconds: 57_540 };
  const clock = { ...inSince("09:00:00"), serverTime: iso(at("23:59:00")), ...seconds };
  const before = fold(clock, [], at("23:59:30"), { zone: ZONE });
  assert.equal(elapsed(before, at("23:59:30")).daily, 3600 + 53_970);
  const after = fold(clock, [], at("00:00:30", "2026-11-27"), { zone: ZONE });
  assert.deepEqual(elapsed(after, at("00:00:30", "2026-11-27")), { session: 54_030, daily: 0 });
});

test("an entry that began yesterday does not count for today", () => {
  const overnight = { timeEntry: entry("22:00:00", "2026-11-25"), sessionSeconds: 41_400, dailySeconds: 0 };
  const clock = { ...inSince("09:00:00"), ...overnight };
  const view = show(clock, [press("clockOut", "09:45:00")]);
  assert.deepEqual(elapsed(view, at("10:00:00")), { session: 0, daily: 0 });
});

test("nothing known is out", () => {
  assert.equal(fold(undefined, [], at("10:00:00"), { zone: ZONE }).status, "clocked-out");
});

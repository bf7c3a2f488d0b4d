// Folds waiting punches over the service's last state: the state a clock shows now. Pure.
import { localDate } from "./format.js";

const instant = (text) => Date.parse(text);
const iso = (milliseconds) => new Date(milliseconds).toISOString();

// A punch that was sent may have been counted a little before its own time: the service takes a future time as now.
const TOLERANCE = 150;

/**
 * The state after `queue` (punches with `at` in milliseconds) on top of `clock`, at `serverNow`. `known` has what the
 * clock lacks: `zone` of the person, `segments` and `entries` of today and yesterday. Answers `{status, entry, segment,
 * resumes, closedToday, today, entries, segments}`: `resumes` is the work a break goes back to, `closedToday` the
 * seconds of today's ended entries, the lists are what the queue has ended.
 */
export function fold(clock, queue, serverNow, known = {}) {
  const zone = known.zone || "UTC";
  const today = localDate(serverNow, zone);
  const state = { ...begin(clock, today, zone), today, zone, known, entries: [], segments: [] };
  state.resumes = state.segment?.kind === "break" ? workBefore(state.segment, known.segments || []) : null;
  for (const punch of [...queue].sort((a, b) => a.at - b.at)) STEPS[punch.type]?.(state, punch);
  const { entry, segment, resumes, closedToday, entries, segments } = state;
  const status = !entry ? "clocked-out" : segment?.kind === "break" ? "on-break" : "clocked-in";
  return { status, entry, segment, resumes, closedToday, today, entries, segments };
}

function begin(clock, today, zone) {
  const entry = clock?.timeEntry || null;
  const isSameDay = clock && localDate(instant(clock.serverTime), zone) === today;
  const running = entry?.date === today ? clock.sessionSeconds : 0;
  return { entry, segment: clock?.segment || null, closedToday: isSameDay ? clock.dailySeconds - running : 0 };
}

/** The work that was on when a break, or the break before it, began. */
export function workBefore(segment, segments) {
  let start = segment.startTime;
  for (let round = 0; round < 50; round += 1) {
    const before = segments.find((other) => other.endTime === start && other.timeEntryId === segment.timeEntryId &&
      other.startTime !== start);
    if (!before || before.kind === "work") return before || null;
    start = before.startTime;
  }
  return null;
}

/** Whether a record began at the punch or after it, so that the punch is in it already, or says nothing about it. */
function isLater(record, start, punch) {
  return instant(start) + (record.pending || !punch.attempted ? 0 : TOLERANCE) >= punch.at;
}

function enter(state, punch) {
  const time = iso(punch.at);
  state.entry = { id: `pending ${punch.id}`, pending: true, clockInTime: time, clockOutTime: null,
    status: "clocked-in", date: localDate(punch.at, state.zone), timeZone: state.zone, notes: punch.notes || null,
    sessionId: punch.sessionId || null, flags: [], version: 0 };
}

function begun(state, punch) {
  const isBreak = punch.breakTypeId != null;
  state.segment = { id: `pending ${punch.id}`, pending: true, timeEntryId: state.entry.id,
    kind: isBreak ? "break" : "work", projectId: punch.projectId || null, taskId: punch.taskId || null,
    breakTypeId: punch.breakTypeId || null, startTime: iso(punch.at), endTime: null };
}

function endSegment(state, at) {
  if (state.segment) state.segments.push({ ...state.segment, endTime: iso(at) });
  state.segment = null;
}

/** Whether the clock-in is among the known entries and was ended since. */
const isKnown = (state, punch) => (state.known.entries || []).some((entry) => entry.clockOutTime &&
  instant(entry.clockInTime) === punch.at);

const isSame = (segment, punch) => segment && ["projectId", "taskId", "breakTypeId"].every(
  (purpose) => (segment[purpose] || null) === (punch[purpose] || null));

const STEPS = {
  clockIn(state, punch) {
    if (state.entry || isKnown(state, punch)) return;
    enter(state, punch);
    if (punch.projectId || punch.taskId) begun(state, punch);
  },

  clockOut(state, punch) {
    const { entry } = state;
    if (!entry || isLater(entry, entry.clockInTime, punch)) return;
    endSegment(state, punch.at);
    const seconds = Math.floor((punch.at - instant(entry.clockInTime)) / 1000);
    if (entry.date === state.today) state.closedToday += seconds;
    const notes = punch.notes === undefined ? entry.notes : punch.notes;
    const ended = { clockOutTime: iso(punch.at), durationSeconds: seconds, status: "clocked-out" };
    state.entries.push({ ...entry, notes, ...ended });
    state.entry = state.resumes = null;
  },

  startSegment(state, punch) {
    const isBreak = punch.breakTypeId != null;
    if (!state.entry && (isBreak || isKnown(state, punch))) return;
    if (!state.entry) enter(state, punch);
    const { segment } = state;
    if (isSame(segment, punch) || (segment && isLater(segment, segment.startTime, punch))) return;
    if (!isBreak) state.resumes = null;
    else if (segment?.kind === "work") state.resumes = segment;
    endSegment(state, punch.at);
    begun(state, punch);
  },

  stopSegment(state, punch) {
    const { segment, resumes } = state;
    if (!segment || isLater(segment, segment.startTime, punch)) return;
    endSegment(state, punch.at);
    const { projectId, taskId } = resumes || {};
    if (segment.kind === "break" && resumes) begun(state, { ...punch, projectId, taskId });
    state.resumes = null;
  },
};

/** Whole seconds of the running entry and of today. */
export function elapsed({ entry, closedToday, today }, serverNow) {
  const session = entry ? Math.max(0, Math.floor((serverNow - instant(entry.clockInTime)) / 1000)) : 0;
  return { session, daily: closedToday + (entry?.date === today ? session : 0) };
}

// The acts of the Clock screen's buttons: one press is one punch, with its message and its Undo.
import { zone } from "./clockdata.js";
import { hours, time } from "./format.js";
import { outcome, punch, undo } from "./punches.js";
import { Refusal } from "./api.js";
import { sentence } from "./refusals.js";
import { alertBeside, message } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

const MOMENT = 300;
let lastPress = { control: null, time: 0 };

/**
 * Whether a press is the second one of a double press: the button has become its counterpart under the finger. Pointers
 * count their presses; a key that is held down presses again and again.
 */
export function isDouble(control, event) {
  const at = performance.now();
  const moment = event?.detail > 1 ? 2 * MOMENT : event?.detail === 1 ? 0 : MOMENT;
  const isSame = lastPress.control === control && at - lastPress.time < moment;
  if (!isSame) lastPress = { control, time: at };
  return isSame;
}

/**
 * Punches, says so, and offers Undo. The failure of an undo is shown at the element `beside`; `onUndo` restores the
 * extras of the press.
 */
function press(type, extra, words, { beside, onUndo } = {}) {
  alertBeside(beside, null);
  const made = punch(type, extra);
  const said = words(time(made.at, zone()), made.at);
  message(said, { undo: () => takeBack(made.id, beside, onUndo) });
  outcome(made.id).then(({ status, dropped = [] }) => {
    const isKept = status === "refused" || status === "waiting";
    if (isKept && isShown(said)) message("");
    if (isKept) onUndo?.();
    if (dropped.length) message(t("clock.message.dropped"));
  });
  return made;
}

const isShown = (sentence) => document.querySelector(".message")?.textContent.startsWith(sentence);

async function takeBack(id, beside, onUndo) {
  const fate = outcome(id);
  const undoing = undo(id);
  onUndo?.();
  await undoing;
  message(t("common.undone"));
  const result = await fate;
  const last = result.status === "applied" ? await outcome(id) : result;
  if (last.status === "refused" && last.problem) {
    const words = sentence(new Refusal(last.problem.status, last.problem));
    message(beside.isConnected ? "" : words);
    if (beside.isConnected) alertBeside(beside, words);
  }
}

export const clockIn = (extra, options) =>
  press("clockIn", extra, (at) => t("clock.message.in", { time: at }), options);

export function clockOut(view, extra, options) {
  const words = (at, instant) => t("clock.message.out", { time: at,
    duration: hours((instant - Date.parse(view.entry.clockInTime)) / 1000) });
  return press("clockOut", extra, words, options);
}

export const startBreak = (type, options) =>
  press("startSegment", { breakTypeId: type.id }, () => t("clock.message.break"), options);

/** Ends the break or the work that runs; a break goes back to the work before it. */
export function stopSegment(view, options) {
  const before = view.resumes;
  const name = (segment) => store.records("project").get(segment?.projectId)?.name || segment?.name;
  const isBreak = view.segment.kind === "break";
  const words = !isBreak ? t("clock.message.stopped", { project: name(view.segment) })
    : before && name(before) ? t("clock.message.back", { project: name(before) }) : t("clock.message.breakEnded");
  return press("stopSegment", {}, () => words, options);
}

/** Starts work on a project; while out that clocks in, and takes along the notes written for it. */
export function startProject(project, view, extra, options) {
  const words = () => t("clock.message.started", { project: project.name });
  const goesWith = !view.entry && Object.keys(extra).length > 0;
  if (goesWith) return press("clockIn", { ...extra, projectId: project.id }, words, options);
  return press("startSegment", { projectId: project.id }, words, options);
}

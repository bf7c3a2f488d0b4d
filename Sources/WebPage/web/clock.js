// The Clock screen: whether one is in, since when, how long, and the button that changes it.
import { breakTypes, load, onChange, ownSegments, projects, sessions } from "./clockdata.js";
import { today, weekEntries, weekStart, zone } from "./clockdata.js";
import { clockIn, clockOut, isDouble, startBreak, startProject, stopSegment } from "./clockacts.js";
import { clockHead } from "./clockhead.js";
import { elapsed } from "./queuefold.js";
import { ticker } from "./elapsed.js";
import { entryList, seconds } from "./entries.js";
import { attribute, h } from "./h.js";
import { key } from "./keys.js";
import { menu } from "./menu.js";
import { notesField } from "./notes.js";
import { projectList } from "./projects.js";
import { folded } from "./punches.js";
import { now } from "./servertime.js";
import { sentence } from "./refusals.js";
import { sessionPicker } from "./sessions.js";
import { alertBeside, setTitle } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** Shows the screen; `stop` ends its timer and its listeners. */
export async function show(main) {
  let view = null;
  const head = clockHead();
  const picker = sessionPicker();
  const notes = notesField();
  const refused = h("div", { class: "unaccepted" });
  const list = entryList({ zone: zone() });
  const work = projectList({ onPress: pressProject });
  const choice = menu({ button: head.button, label: t("clock.chooseProject"), items: () => projects().map(
    (project) => ({ label: project.name, act: () => enter({ projectId: project.id }) })) });
  const pause = menu({ button: head.pause, label: t("clock.startBreak"), items: () => breakTypes().map((type) => {
    const paid = t(type.isPaid ? "clock.paid" : "clock.unpaid");
    return { label: `${type.name} (${paid})`, act: () => startBreak(type, told()) };
  }) });

  const screen = h("div", { class: "clock" },
    h("div", { class: "clock-now stack" }, head.state, head.timer, head.line, choice.element, refused,
      pause.element, picker.element, notes.element, work.element),
    h("section", { class: "clock-today stack", "aria-labelledby": "today-label" },
      h("h2", { id: "today-label", text: t("clock.today") }), list.element));
  main.append(h("h1", { class: "clock-heading", text: t("clock.title") }), screen);

  const told = (onUndo) => ({ beside: choice.element, onUndo });

  /** The extras of a clock-in: the session and the notes, unless they are too long. */
  function withPress() {
    const words = notes.isTooLong ? "" : notes.value;
    return { ...(picker.value && { sessionId: picker.value }), ...(words && { notes: words }) };
  }

  /** Puts back the extras of a press that does not count. */
  const restore = (extra) => told(() => {
    notes.restore(extra.notes);
    picker.pick(extra.sessionId);
  });

  function enter(more = {}) {
    const extra = withPress();
    clockIn({ ...extra, ...more }, restore(extra));
    picker.pick();
  }

  const choosesFirst = () => head.button.getAttribute("aria-haspopup") === "menu" && projects().length > 0;

  function pressIn() {
    if (view?.status !== "clocked-out") return;
    if (choosesFirst()) head.button.click();
    else enter();
  }

  function pressOut() {
    if (!view?.entry) return;
    const extra = notes.isChanged && !notes.isTooLong ? { notes: notes.value } : {};
    if (!notes.isTooLong) notes.sent();
    clockOut(view, extra, restore(extra));
  }

  function pressBreak() {
    if (view.status === "on-break") stopSegment(view, told());
    else if (view.status === "clocked-in" && breakTypes().length) startBreak(breakTypes()[0], told());
  }

  function pressProject(project, isRunning, event) {
    if (!view || isDouble(project.id, event)) return;
    if (isRunning) return stopSegment(view, told());
    const extra = view.entry ? {} : withPress();
    startProject(project, view, extra, restore(extra));
    picker.pick();
  }

  /** A press of a button that opens its menu only if there is something to choose. */
  head.onPress((event) => {
    const isOut = view?.status === "clocked-out";
    if (isOut && choosesFirst()) return true;
    if (view && !isDouble("clock", event)) (isOut ? pressIn : pressOut)();
    return false;
  }, (event) => {
    if (head.pause.getAttribute("aria-haspopup") === "menu") return true;
    if (view && !isDouble("break", event)) pressBreak();
    return false;
  });

  function known() {
    return { zone: zone(), segments: ownSegments(), entries: weekEntries() };
  }

  function update() {
    if (!store.get("membership")) return;
    const time = now();
    const clock = store.get("clock");
    attribute(screen, "aria-busy", clock ? null : "true");
    if (!clock) return head.wait();
    view = { ...folded(known(), time), now: time };
    const policy = store.get("organization").policy || {};
    const isOut = view.status === "clocked-out";
    const asksProject = isOut && policy.projectRequired;
    head.update(view, { week: weekSeconds(), asksProject, breaks: breakTypes().length });
    picker.element.hidden = !isOut;
    picker.update(sessions(), zone());
    notes.update(view.entry, policy.notesMaximumCharacters ?? 500);
    work.update(view);
    list.update(todaysEntries());
    timer.follow(view.entry ? Date.parse(view.entry.clockInTime) : null);
    tick(time);
  }

  let title = t("clock.title");

  function tick(time) {
    if (!view) return;
    if (view.today !== today()) return update();
    const { session, daily } = elapsed(view, time);
    if (!document.hidden) {
      head.tick(session, daily);
      work.tick(time);
    }
    const next = head.title(view, session);
    if (next === title) return;
    setTitle((title = next));
    head.showWeek(weekSeconds());
    list.update(todaysEntries());
  }

  /** The service's entries, under the waiting ones. */
  function entries() {
    const known = weekEntries();
    const isKnown = (entry) => known.some(({ clockInTime }) => clockInTime === entry.clockInTime);
    const ended = view.entries.filter((entry) => !entry.pending || !isKnown(entry));
    const all = new Map([...known, ...ended].map((entry) => [entry.id, entry]));
    if (view.entry && !isKnown(view.entry)) all.set(view.entry.id, view.entry);
    return [...all.values()].sort((a, b) => Date.parse(b.clockInTime) - Date.parse(a.clockInTime));
  }

  const todaysEntries = () => entries().filter((entry) => entry.date === view.today || !entry.clockOutTime);
  const weekSeconds = () => entries().reduce((sum, entry) => sum + (entry.date >= weekStart() ? seconds(entry) : 0), 0);

  /** Refused punches are rare: their list is loaded then. */
  async function showRefused(punches = store.get("refused")) {
    if (punches?.length || refused.firstChild) (await import("./unaccepted.js")).showUnaccepted(refused);
  }

  const timer = ticker(tick);
  const ends = ["clock", "queue", "organization"].map((topic) => store.on(topic, update));
  ends.push(onChange(later(update)), timer.stop, store.on("refused", showRefused),
    key("i", "clock.in", pressIn), key("o", "clock.out", pressOut),
    key("b", "clock.keys.break", () => !head.pause.hidden && head.pause.click()),
    key("n", "clock.notes", notes.focus), key("/", "clock.keys.find", work.focusFind));
  const read = () => load().then(update, (error) => alertBeside(choice.element, sentence(error)));
  ends.push(...["midnight", "resync"].map((event) => store.on(event, read)));
  update();
  showRefused();
  read();
  return { title, stop: () => ends.forEach((end) => end()) };
}

/** Runs `act` once for changes that come together. */
function later(act) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      act();
    });
  };
}

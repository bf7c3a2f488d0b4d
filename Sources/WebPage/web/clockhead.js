// The top of the Clock screen: the state, the elapsed time, the activity, and the two buttons.
import { zone } from "./clockdata.js";
import { hours, localDate, shortDate, stopwatch, time } from "./format.js";
import { attribute, dot, h, icon, text } from "./h.js";
import { store } from "./store.js";
import { t } from "./words.js";

const STATES = { "clocked-in": "in", "on-break": "break", "clocked-out": "out" };

/** `{state, timer, line, button, pause}` are elements; `onPress` sets the actions of the buttons, true opens their
   menu. */
export function clockHead() {
  const status = h("p", { role: "status", "aria-label": t("clock.status"), class: "state" });
  const since = h("span", { class: "soft" });
  const shown = document.createTextNode("0:00:00 (0:00:00)");
  const timer = h("div", { role: "timer", "aria-label": t("clock.elapsed"), class: "timer" }, shown);
  const place = h("span", { class: "project-dot" });
  const on = h("span", { class: "clock-on" });
  const week = h("span", { class: "soft clock-week" });
  let press = [() => false, () => false];
  const button = large(0, "button button-primary button-large");
  const pause = large(1, "button");
  let color = null;

  /** Listens before the menu does, and keeps the press from it if there is nothing to choose. */
  function large(at, kind) {
    const element = h("button", { type: "button", class: kind });
    element.addEventListener("click", (event) => press[at](event) || event.stopImmediatePropagation());
    element.addEventListener("keydown", (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
      if (event.key.startsWith("Arrow") && !element.hasAttribute("aria-haspopup")) event.stopImmediatePropagation();
    });
    return element;
  }

  function label(element, name, words) {
    if (element.dataset.shown === words) return;
    element.dataset.shown = words;
    element.replaceChildren(icon(name), words);
  }

  function opens(element, isMenu) {
    if (element.hasAttribute("aria-haspopup") === Boolean(isMenu)) return;
    attribute(element, "aria-haspopup", isMenu ? "menu" : null);
    attribute(element, "aria-expanded", isMenu ? "false" : null);
  }

  function update(view, { week: seconds, asksProject, breaks }) {
    const isOut = view.status === "clocked-out";
    const isBreak = view.status === "on-break";
    status.className = `state state-${STATES[view.status] || "in"}`;
    text(status, t(`clock.state.${view.status}`));
    text(since, isOut ? "" : t("clock.since", { time: when((isBreak ? view.segment : view.entry), view) }));
    label(button, isOut ? "in" : "out", t(isOut ? "clock.in" : "clock.out"));
    button.classList.toggle("button-primary", isOut);
    button.classList.toggle("button-danger", !isOut);
    attribute(button, "aria-disabled", null);
    opens(button, asksProject);
    label(pause, isBreak ? "play" : "pause", t(isBreak ? "clock.endBreak" : "clock.startBreak"));
    pause.hidden = isOut || (!isBreak && breaks === 0);
    opens(pause, !isBreak && breaks > 1);
    showOn(view.segment, asksProject);
    showWeek(seconds);
  }

  function when(record, view) {
    const start = Date.parse(record.startTime || record.clockInTime);
    const date = localDate(start, zone());
    return date === view.today ? time(start, zone()) : `${shortDate(date)}, ${time(start, zone())}`;
  }

  function showOn(segment, asksProject) {
    const project = segment && store.records("project").get(segment.projectId);
    const next = project?.color || null;
    if (next !== color) place.replaceChildren(...((color = next) ? [dot(next)] : []));
    const name = segment?.breakTypeId ? store.records("breakType").get(segment.breakTypeId)?.name : project?.name;
    if (asksProject) text(on, t("clock.chooseProject"));
    else text(on, name || (segment && !segment.projectId && segment.name) || "");
  }

  const showWeek = (seconds) => text(week, t("clock.week", { time: hours(seconds) }));

  return {
    state: h("div", { class: "clock-state" }, status, since), timer: h("div", { class: "timer-place" }, timer),
    button, pause, update, showWeek,
    line: h("div", { class: "clock-line" }, h("span", { class: "clock-what" }, place, on), week),
    onPress: (main, other) => (press = [main, other]),

    /** Nothing is known yet: the room is there, the button does nothing. */
    wait() {
      label(button, "in", t("clock.in"));
      opens(button, false);
      attribute(button, "aria-disabled", "true");
      pause.hidden = true;
    },

    /** The one text that changes each second. */
    tick(session, daily) {
      text(shown, `${stopwatch(session)} (${stopwatch(daily)})`);
      if (timer.classList.contains("long") !== session >= 36_000) timer.classList.toggle("long");
    },

    /** "Clocked In · 0:05" */
    title(view, session) {
      const words = t(`clock.state.${view.status}`);
      return view.entry ? `${words} · ${stopwatch(session).slice(0, -3)}` : words;
    },
  };
}

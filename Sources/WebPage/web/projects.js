// The region "Projects": the running one and its time of today, Start and Stop, Find.
import { dayOf, ownSegments, projects, today } from "./clockdata.js";
import { stopwatch } from "./format.js";
import { dot, h, icon, text, attribute } from "./h.js";
import { keyed } from "./list.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** `{element, update(view), tick(view, now), focusFind()}`; `onPress(project, isRunning, event)` starts or stops. */
export function projectList({ onPress }) {
  const find = h("input", { type: "search", class: "find", "aria-label": t("clock.projects.find"),
    placeholder: t("clock.projects.find"), on: { input: () => update(view) } });
  const list = h("ul", { class: "projects", "aria-labelledby": "projects-label" });
  const nothing = h("p", { class: "soft" });
  const element = h("section", { class: "clock-projects stack", "aria-labelledby": "projects-label" },
    h("div", { class: "projects-head" }, h("h2", { id: "projects-label", text: t("clock.projects") }), find),
    list, nothing);
  let view;
  let closed = new Map();

  function make(project) {
    const [name, client, times] = ["", "", ""].map((string) => document.createTextNode(string));
    const place = h("span", { class: "project-dot" });
    const label = h("span", null);
    const press = (event) => onPress(item.project, item.isRunning, event);
    const button = h("button", { type: "button", class: "button", on: { click: press } });
    const item = h("li", { class: "project" }, place,
      h("span", { class: "project-name" }, h("span", null, name), h("span", { class: "soft" }, client)),
      h("span", { class: "project-times" }, times), button);
    return Object.assign(item, { name, client, times, place, label, button, project });
  }

  function patch(item, project) {
    const isRunning = view.segment?.kind === "work" && view.segment.projectId === project.id;
    Object.assign(item, { project, isRunning });
    text(item.name, project.name);
    text(item.client, project.client ? ` ${project.client}` : "");
    if (item.color !== project.color) item.place.replaceChildren(dot((item.color = project.color)));
    const act = isRunning ? "stop" : "start";
    if (item.act !== act) {
      item.act = act;
      item.classList.toggle("running", isRunning);
      text(item.label, t(`clock.${act}`));
      item.button.replaceChildren(icon(isRunning ? "stop" : "play"), item.label);
    }
    attribute(item.button, "aria-label", t(`clock.project.${act}`, { project: project.name }));
    show(item, view.now);
  }

  function show(item, now) {
    const run = item.isRunning ? Math.max(0, Math.floor((now - Date.parse(view.segment.startTime)) / 1000)) : 0;
    const isToday = item.isRunning && dayOf(view.segment) === view.today;
    const total = (closed.get(item.project.id) || 0) + (isToday ? run : 0);
    const day = `(${stopwatch(total)})`;
    text(item.times, item.isRunning ? `${stopwatch(run)} ${day}` : total ? day : "");
  }

  function update(next) {
    view = next;
    if (!view) return;
    closed = closedToday(view);
    const sought = find.value.trim().toLocaleLowerCase();
    const all = withRunning(projects(), view.segment);
    const found = all.filter(({ name, client }) => `${name} ${client || ""}`.toLocaleLowerCase().includes(sought));
    keyed(list, found, ({ id }) => id, make, patch);
    list.hidden = found.length === 0;
    nothing.hidden = found.length > 0;
    text(nothing, all.length ? t("clock.projects.noMatch") : t("clock.projects.none"));
    find.hidden = all.length < 2;
  }

  return {
    element,
    update,
    tick(now) {
      for (const item of list.children) if (item.isRunning) show(item, now);
    },
    focusFind: () => find.focus(),
  };
}

/** A project that runs is shown though it was archived since. */
function withRunning(all, segment) {
  const id = segment?.kind === "work" && segment.projectId;
  if (!id || all.some((project) => project.id === id)) return all;
  const known = store.records("project").get(id);
  return [...all, known || { id, name: t("clock.project.unknown"), client: null, color: null }];
}

/** Seconds of today's ended work by project: the service's, and those that the queue has ended. */
function closedToday(view) {
  const sums = new Map();
  const counted = new Set();
  for (const segment of [...ownSegments(), ...view.segments]) {
    const { projectId, startTime, endTime } = segment;
    const mark = `${projectId} ${startTime}`;
    if (!projectId || !endTime || counted.has(mark) || dayOf(segment) !== today()) continue;
    counted.add(mark);
    const seconds = Math.floor((Date.parse(endTime) - Date.parse(startTime)) / 1000);
    sums.set(projectId, (sums.get(projectId) || 0) + seconds);
  }
  return sums;
}

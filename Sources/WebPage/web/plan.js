// Plan: the sessions of a week, by day; to add, change and delete them. For managers.
import { api, org } from "./api.js";
import { dialog } from "./dialog.js";
import { addDays, date, localDate, startOfWeek, time } from "./format.js";
import { h, icon, text } from "./h.js";
import { keyed } from "./list.js";
import { weekStart, zoneOfPerson } from "./period.js";
import { sentence } from "./refusals.js";
import { now } from "./servertime.js";
import { editSession } from "./sessionform.js";
import { alertBeside, message } from "./shell.js";
import { store } from "./store.js";
import { n, t } from "./words.js";
import { weekBar } from "./weekbar.js";

let week = null;

export async function show(main) {
  const zone = store.get("organization").timeZone;
  const today = () => localDate(now(), zone);
  const sessions = new Map();
  const names = new Map();
  let members = null;
  let failed = false;
  week ||= startOfWeek(today(), weekStart());
  const heading = h("h1", { tabindex: "-1", text: t("manager.plan") });
  const add = h("button", { type: "button", class: "button button-primary", on: { click: () => edit(null, add) } },
    icon("plus"), t("manager.addSession"));
  const bar = weekBar({ week: () => week, today, pick: (next) => { week = next; load(); } });
  const empty = h("p", { class: "soft", hidden: true, text: t("manager.noSessions") });
  const list = h("div", { class: "stack" });
  main.append(heading, h("div", { class: "cluster" }, bar.element, add), empty, list);

  async function load() {
    bar.update();
    const asked = week;
    failed = false;
    list.setAttribute("aria-busy", "true");
    try {
      const query = { startDate: week, endDate: addDays(week, 6), limit: 1000 };
      const found = await api.all(org("/sessions"), query, "sessions");
      if (asked !== week) return;
      sessions.clear();
      for (const session of found) keep(session);
      list.removeAttribute("aria-busy");
      alertBeside(heading, null);
      render();
    } catch (error) {
      if (asked !== week) return;
      failed = true;
      alertBeside(heading, sentence(error));
    }
  }

  function keep(session) {
    sessions.set(session.id, session);
    for (const { id, name } of session.assignees) names.set(id, name);
  }

  const inWeek = (session) => session.date >= week && session.date <= addDays(week, 6);

  function render() {
    const days = new Map();
    for (const session of [...sessions.values()].filter(inWeek)) {
      days.set(session.date, [...(days.get(session.date) || []), session]);
    }
    keyed(list, [...days.keys()].sort(), (day) => day, makeDay, (section, day) => fill(section, days.get(day)));
    empty.hidden = days.size > 0;
  }

  function makeDay(day) {
    const rows = h("ul", { role: "list", class: "rows" });
    return Object.assign(h("section", {}, h("h2", { text: date(day) }), rows), { rows });
  }

  function fill({ rows }, of) {
    of.sort((a, b) => (a.startTime || "").localeCompare(b.startTime || "") || a.title.localeCompare(b.title));
    keyed(rows, of, (session) => session.id, makeRow, updateRow);
  }

  function makeRow() {
    const soft = () => h("span", { class: "soft" });
    const parts = { title: h("strong"), when: h("span"), where: soft(), who: soft() };
    const button = (image, label, act) => h("button", { type: "button", class: "button",
      on: { click: (event) => act(row.session, event.currentTarget) } }, icon(image), t(label));
    const buttons = { edit: button("edit", "common.edit", edit), remove: button("trash", "common.delete", remove) };
    const row = h("li", { class: "plan-session" }, h("div", { class: "stack" }, Object.values(parts)),
      h("div", { class: "cluster" }, Object.values(buttons)));
    return Object.assign(row, { parts, buttons });
  }

  function updateRow(row, session) {
    row.session = session;
    text(row.parts.title, session.title);
    text(row.parts.when, timesOf(session, zone));
    text(row.parts.where, session.location || "");
    text(row.parts.who, session.assignees.map(({ name }) => name).join(", ") || t("manager.nobodyAssigned"));
    const named = { title: session.title, date: date(session.date) };
    row.buttons.edit.setAttribute("aria-label", t("manager.editNamed", named));
    row.buttons.remove.setAttribute("aria-label", t("manager.deleteNamed", named));
  }

  async function edit(session, opener) {
    try {
      members ||= await api.all(org("/members"), { active: true, limit: 1000 }, "members");
    } catch (error) {
      return alertBeside(opener, sentence(error));
    }
    alertBeside(opener, null);
    members.sort((a, b) => a.name.localeCompare(b.name));
    const day = today();
    const date = day >= week && day <= addDays(week, 6) ? day : week;
    editSession({ session, members, zone, opener, done: take, date });
  }

  function take(session) {
    const known = sessions.get(session.id);
    if (!known || known.version <= session.version) keep(session);
    render();
  }

  /** A change of the stream: it names the people by their ids alone. */
  function hear({ resource, resourceId, data }) {
    if (resource === "member") members = null;
    if (resource !== "session") return;
    const known = sessions.get(resourceId);
    if (!data) {
      if (sessions.delete(resourceId)) render();
    } else if (known ? known.version < data.version : inWeek(data)) {
      const assignees = data.assignees.map(({ id }) => ({ id, name: names.get(id) }));
      if (assignees.every(({ name }) => name)) take({ ...data, assignees });
      else load();
    }
  }

  function remove(session, opener) {
    let detach = false;
    const shown = dialog({
      title: t("manager.deleteNamed", { title: session.title, date: date(session.date) }),
      content: h("p", { text: t("manager.deleteSession") }),
      opener,
      actions: [{ label: t("common.delete"), kind: "danger", act }, { label: t("common.cancel"), kind: "plain" }],
    });
    async function act() {
      try {
        const { version } = sessions.get(session.id) || session;
        await api.send("DELETE", org(`/sessions/${session.id}`), undefined, { query: { version, detach } });
      } catch (error) {
        if (error.code !== "session_in_use" && error.status !== 404) throw error;
        if (error.status !== 404) {
          detach = true;
          shown.fail(n("manager.sessionInUse", error.problem.count));
          return false;
        }
      }
      sessions.delete(session.id);
      render();
      message(t("common.deleted"));
      return true;
    }
  }

  const offs = [
    store.on("change", hear),
    store.on("connection", (state) => state === "ok" && failed && load()),
  ];
  await load();
  return { title: t("manager.plan"), stop: () => offs.forEach((off) => off()) };
}

/** "7:00 AM – 12:00 PM", one time alone, or nothing; the zone is named if it is not the viewer's. */
function timesOf({ startTime, endTime }, zone) {
  if (!startTime && !endTime) return "";
  const shown = [startTime, endTime].map((instant) => (instant ? time(instant, zone) : "…")).join(" – ");
  return zone === zoneOfPerson() ? shown : `${shown} ${zone}`;
}

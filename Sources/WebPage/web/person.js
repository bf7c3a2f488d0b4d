// A person's time, as Time shows the viewer's: by day, week or month, to correct and to add to. For managers.
import { api, org } from "./api.js";
import { entryList, seconds } from "./entries.js";
import { editEntry } from "./entryform.js";
import { field } from "./form.js";
import { addDays, hours, localDate, longDate, range } from "./format.js";
import { attribute, h, icon, text } from "./h.js";
import { datesOf, zoneOfPerson } from "./period.js";
import { sentence } from "./refusals.js";
import { now } from "./servertime.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { tabs } from "./tabs.js";
import { t } from "./words.js";

const KINDS = { today: "day", week: "week", month: "month", day: "day" };

/** `params`: `userId`, and `date` if a day of a timesheet was opened. */
export async function show(main, params) {
  const heading = h("h1", { tabindex: "-1", text: t("manager.person") });
  let member;
  try {
    member = (await api.get(org(`/members/${encodeURIComponent(params.userId)}`))).data;
  } finally {
    // The heading comes with the name that it is read with.
    if (member) text(heading, member.name);
    main.append(heading);
  }
  const zone = () => member.timeZone || store.get("organization").timeZone;
  const today = () => localDate(now(), zone());
  const asked = /^\d{4}-\d\d-\d\d$/.test(params.date || "") ? params.date : null;
  let picked = asked ? "day" : "today";
  let entries = null;
  let timer = null;
  let minute = null;
  let turn = 0;

  const facts = h("p", { class: "soft" });
  const day = field({ type: "date", label: t("common.date"), name: "day", value: asked || today() });
  day.input.addEventListener("change", () => day.value && load());
  const go = (days) => {
    day.value = addDays(day.value || today(), days);
    load();
  };
  const step = (image, label, days) =>
    h("button", { type: "button", class: "button", "aria-label": t(label), on: { click: () => go(days) } },
      icon(image));
  const days = h("div", { class: "person-days" }, step("left", "manager.previousDay", -1), day.element,
    step("right", "manager.nextDay", 1));
  const sum = h("p", { class: "cluster" }, h("span"), h("strong"));
  const list = entryList({ zone: zoneOfPerson(), empty: t("manager.noEntries"),
    onEdit: (entry, opener) => editEntry({ entry, member, opener }) });
  const panel = h("div", { class: "stack" }, days, sum, list.element);
  const pick = (id) => {
    picked = id;
    load();
  };
  const strip = tabs({ label: t("time.range"), selected: picked, onSelect: pick, panel,
    tabs: Object.keys(KINDS).map((id) => ({ id, label: t(id === "day" ? "time.day" : `time.range.${id}`) })) });
  const add = h("button", { type: "button", class: "button button-primary", on: { click: () => {
    const { to } = dates();
    editEntry({ entry: null, member, date: to < today() ? to : today(), opener: add });
  } } }, icon("plus"), t("time.addEntry"));
  main.append(facts, h("div", { class: "cluster" }, add), strip.element, panel);

  const dates = () => datesOf(KINDS[picked], picked === "day" && day.value ? day.value : today());

  function tell() {
    text(heading, member.name);
    const notes = [member.email, t(`admin.role.${member.role}`)];
    if (zone() !== zoneOfPerson()) notes.push(zone());
    if (!member.active) notes.push(t("manager.deactivated"));
    text(facts, notes.filter(Boolean).join(" · "));
  }

  async function load() {
    clearTimeout(timer);
    timer = null;
    const mine = ++turn;
    const { from, to } = dates();
    days.hidden = picked !== "day";
    attribute(panel, "aria-busy", true);
    try {
      const query = { userId: member.userId, startDate: from, endDate: to, limit: 500 };
      const found = await api.all(org("/timeEntries"), query, "timeEntries");
      if (mine !== turn) return;
      entries = found;
      attribute(panel, "aria-busy", false);
      alertBeside(heading, null);
      await titles(from, to);
      if (mine !== turn) return;
      text(sum.firstChild, from === to ? longDate(from) : range(from, to));
      render();
    } catch (error) {
      if (mine === turn) alertBeside(heading, sentence(error));
    }
  }

  /** Running time is shown again each minute. */
  function render() {
    list.update(entries);
    text(sum.lastChild, hours(entries.reduce((all, entry) => all + seconds(entry), 0)));
    clearTimeout(minute);
    if (entries.some(({ clockOutTime }) => !clockOutTime)) minute = setTimeout(render, 60_000);
  }

  /** The titles of the sessions that entries are for, if they are not known. */
  async function titles(startDate, endDate) {
    if (!entries.some(({ sessionId }) => sessionId && !store.records("session").has(sessionId))) return;
    const query = { assignedTo: member.userId, startDate, endDate, limit: 1000 };
    const sessions = await api.all(org("/sessions"), query, "sessions").catch(() => []);
    for (const session of sessions) store.take("session", session);
  }

  /** Changed time, here or elsewhere, is read again; once for changes that come together. */
  function hear({ resource, resourceId, data }) {
    if (resource === "member" && resourceId === member.userId && data) {
      member = data;
      tell();
    }
    const mine = data ? data.userId === member.userId : entries?.some(({ id }) => id === resourceId);
    if (!timer && mine && (resource === "timeEntry" || resource === "segment")) timer = setTimeout(load, 200);
  }

  const offs = [
    store.on("change", hear),
    store.on("stream", () => load()),
  ];
  tell();
  await load();
  return {
    title: member.name,
    stop() {
      turn++;
      clearTimeout(timer);
      clearTimeout(minute);
      offs.forEach((off) => off());
    },
  };
}

// Time: the person's entries of today, this week or this month, with their total; entries are added and corrected here.
import { api, org } from "./api.js";
import { mayEnterTimes, rightsOf } from "./editable.js";
import { entryList, seconds } from "./entries.js";
import { editEntry } from "./entryform.js";
import { hours } from "./format.js";
import { h, icon, text } from "./h.js";
import { datesOf, today, zoneOfPerson } from "./period.js";
import { sentence } from "./refusals.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { tabs } from "./tabs.js";
import { n, t } from "./words.js";

const KINDS = { today: "day", week: "week", month: "month" };
const PAGE = 200;

export async function show(main, params, context) {
  const person = context.me.user.id;
  let kind = "today";
  let dates = datesOf("day", today());
  let asked = 0;
  let drawing;
  let ticking;
  let failed = false;

  const total = h("p", { class: "total" });
  const add = h("button", {
    type: "button", class: "button button-primary", on: { click: () => editEntry({ opener: add }) },
  }, icon("plus"), t("time.addEntry"));
  const list = entryList({
    entries: [], zone: zoneOfPerson(), onEdit: (entry, opener) => editEntry({ entry, opener }),
    editable: (entry) => rightsOf(entry).notes, empty: t("time.empty"),
  });
  const sheet = h("a", { href: "#/week" }, t("time.weekSheet"));
  const head = h("div", { class: "cluster time-head" }, total, sheet, mayEnterTimes() && add);
  const panel = h("div", { class: "stack" }, head, list.element);
  const choice = tabs({
    label: t("time.range"), selected: kind, panel,
    tabs: Object.keys(KINDS).map((id) => ({ id, label: t(`time.range.${id}`) })),
    onSelect(id) {
      kind = id;
      load();
    },
  });
  main.append(h("h1", { text: t("shell.nav.time") }), choice.element, panel);

  /** Reads the entries of the dates; until they are there, those that are known are shown. */
  async function load() {
    const turn = ++asked;
    dates = datesOf(KINDS[kind], today());
    const gone = new Set(mine().map((entry) => entry.id));
    panel.setAttribute("aria-busy", "true");
    panel.classList.toggle("waiting", gone.size === 0);
    draw();
    try {
      const query = { userId: person, startDate: dates.from, endDate: dates.to, limit: PAGE };
      const found = await api.all(org("/timeEntries"), query, "timeEntries");
      await titles(found);
      if (turn !== asked) return;
      for (const entry of found) {
        gone.delete(entry.id);
        store.take("timeEntry", entry);
      }
      for (const id of gone) store.drop("timeEntry", id);
      failed = false;
      alertBeside(choice.element, null);
    } catch (error) {
      if (turn !== asked) return;
      failed = true;
      alertBeside(choice.element, sentence(error));
    }
    panel.removeAttribute("aria-busy");
    panel.classList.remove("waiting");
    draw();
  }

  /** Reads the titles of the sessions that entries are for, if one is not known. */
  async function titles(entries) {
    if (!entries.some(({ sessionId }) => sessionId && !store.records("session").has(sessionId))) return;
    const query = { assignedTo: "me", startDate: dates.from, endDate: dates.to, limit: PAGE };
    const found = await api.all(org("/sessions"), query, "sessions").catch(() => []);
    for (const session of found) store.take("session", session);
  }

  /** The person's entries of the dates shown, the latest first. */
  function mine() {
    const here = [...store.records("timeEntry").values()]
      .filter((entry) => entry.userId === person && entry.date >= dates.from && entry.date <= dates.to);
    return here.sort((a, b) => Date.parse(b.clockInTime) - Date.parse(a.clockInTime));
  }

  function draw() {
    clearTimeout(drawing);
    drawing = null;
    const entries = mine();
    list.update(entries);
    sum(entries);
  }

  /** Adds up; if an entry runs, once more at the next full minute of the sum. */
  function sum(entries) {
    clearTimeout(ticking);
    const together = entries.reduce((all, entry) => all + seconds(entry), 0);
    text(total, `${t("common.total")} ${hours(together)} · ${n("time.entries", entries.length)}`);
    if (entries.some((entry) => !entry.clockOutTime)) ticking = setTimeout(draw, (60 - (together % 60)) * 1000 + 20);
  }

  /** Draws once for changes that come together. */
  function soon() {
    drawing ??= setTimeout(draw, 0);
  }

  const offs = [
    store.on("record:timeEntry", soon), store.on("record:session", soon), store.on("organization", soon),
    store.on("midnight", load), store.on("resync", load), store.on("stream", () => failed && load()),
  ];
  await load();
  return {
    title: t("shell.nav.time"),
    stop() {
      for (const off of offs) off();
      clearTimeout(drawing);
      clearTimeout(ticking);
      asked++;
    },
  };
}

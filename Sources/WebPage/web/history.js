// History: the purposes of the time of a day, a week or a month, with each project's share.
import { api, org } from "./api.js";
import { date, hours, range, time } from "./format.js";
import { dot, h, icon, text } from "./h.js";
import { datesOf, step, today, zoneOfPerson } from "./period.js";
import { alertBeside } from "./shell.js";
import { sentence } from "./refusals.js";
import { percents, shareBar } from "./shares.js";
import { store } from "./store.js";
import { table } from "./table.js";
import { tabs } from "./tabs.js";
import { t } from "./words.js";

const KINDS = ["day", "week", "month"];
const TOTAL = "total";

export async function show(main, params, context) {
  const person = context.me.user.id;
  let kind = "day";
  let day = today();
  let asked = 0;
  let timer;

  const title = h("h2", { class: "period-title", "aria-live": "polite" });
  const previous = moving("left", t("common.previous"), -1);
  const next = moving("right", t("common.next"), 1);
  const facts = h("dl", { class: "facts" });
  const note = h("p", { class: "soft" });
  const projects = table({
    label: t("time.projects"),
    columns: [{ key: "name", label: t("time.project") }, { key: "seconds", label: t("time.hours"), numeric: true },
      { key: "share", label: t("time.share"), numeric: true }],
    rows: [], keyOf: (row) => row.projectId, cell: projectCell, rowHeader: "name",
  });
  const days = table({
    label: t("time.days"),
    columns: [{ key: "date", label: t("time.day") }, { key: "seconds", label: t("time.hours"), numeric: true }],
    rows: [], keyOf: (row) => row.date, cell: (row, key) => (key === "date" ? date(row.date) : hours(row.workSeconds)),
    rowHeader: "date",
  });
  const daysPart = h("section", {}, h("h2", { text: t("time.days") }), days.element);
  const body = h("div", { class: "stack", role: "tabpanel", tabindex: "0" },
    h("div", { class: "period-bar" }, previous, title, next), facts, projects.element, daysPart, note);
  const choice = tabs({
    label: t("time.period"), selected: kind, panel: body,
    tabs: KINDS.map((id) => ({ id, label: t(`time.${id}`) })),
    onSelect(id) {
      kind = id;
      load();
    },
  });
  main.append(h("h1", { text: t("shell.nav.history") }), choice.element, body);

  function moving(image, label, direction) {
    return h("button", { type: "button", class: "button", on: { click: () => move(direction) } }, icon(image), label);
  }

  function move(direction) {
    if (direction > 0 && next.getAttribute("aria-disabled") === "true") return;
    day = step(kind, day, direction);
    load();
  }

  async function load() {
    const turn = ++asked;
    const { from, to } = datesOf(kind, day);
    text(title, from === to ? date(from) : range(from, to));
    next.setAttribute("aria-disabled", String(to >= today()));
    body.setAttribute("aria-busy", "true");
    try {
      const { data } = await api.get(org("/reports/history"), { period: kind, date: day, userId: person });
      if (turn === asked) fill(data);
    } catch (error) {
      if (turn === asked) alertBeside(choice.element, sentence(error));
    }
    if (turn === asked) body.removeAttribute("aria-busy");
  }

  function fill(history) {
    alertBeside(choice.element, null);
    factsOf(history);
    const shares = percents(history.projects.map((row) => row.share));
    const rows = history.projects.map((row, index) => ({ ...row, percent: shares[index] }));
    const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
    if (rows.length) rows.push({ projectId: TOTAL, name: t("common.total"), seconds, percent: percents([1])[0] });
    projects.update(rows);
    projects.element.hidden = rows.length === 0;
    days.update(history.days.filter((row) => row.workSeconds > 0));
    daysPart.hidden = kind === "day" || rows.length === 0;
    const counted = t("time.asOf", { time: time(history.asOf, zoneOfPerson()) });
    text(note, rows.length === 0 ? t("time.nothing") : history.endDate >= today() ? counted : "");
  }

  function factsOf(history) {
    const untracked = history.projects.find((row) => row.projectId === null)?.seconds;
    const shown = [["worked", history.workSeconds, true], ["breaks", history.breakSeconds, true],
      ["unpaidBreaks", history.unpaidBreakSeconds], ["deducted", history.deductedBreakSeconds],
      ["paid", history.paidSeconds, true], ["untracked", untracked ?? 0, true], ["outside", history.outsideSeconds]];
    facts.replaceChildren(...shown.filter(([, seconds, always]) => always || seconds)
      .map(([key, seconds]) => h("div", {}, h("dt", { text: t(`time.${key}`) }), h("dd", { text: hours(seconds) }))));
  }

  /** Asks again soon after a change of the person's own time. */
  function changed({ resource, data }) {
    if (data?.userId && data.userId !== person) return;
    if (!["timeEntry", "segment", "project"].includes(resource)) return;
    clearTimeout(timer);
    timer = setTimeout(load, 300);
  }

  const offs = [store.on("change", changed), store.on("midnight", load), store.on("resync", load)];
  await load();
  return {
    title: t("shell.nav.history"),
    stop() {
      for (const off of offs) off();
      clearTimeout(timer);
      asked++;
    },
  };
}

function projectCell(row, key) {
  if (key === "seconds") return hours(row.seconds);
  if (key === "share") return row.percent;
  if (row.projectId === TOTAL) return h("strong", { text: row.name });
  return h("span", { class: "project-share" },
    h("span", {}, dot(row.color), " ", row.name ?? t("time.noProject")), shareBar(row.share, row.color));
}

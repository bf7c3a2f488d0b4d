// The week sheet: a week of one's hours on one page, to print and to sign.
import { api, org } from "./api.js";
import { addDays, date, hours, localDate, longDate, range, time } from "./format.js";
import { h, icon, text } from "./h.js";
import { datesOf, step, today, zoneName, zoneOfPerson } from "./period.js";
import { sentence } from "./refusals.js";
import { now } from "./servertime.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { table } from "./table.js";
import { n, t } from "./words.js";
import { sheetRows } from "./weekdata.js";

const LABELS = {
  day: "time.day", in: "time.in", out: "time.out", break: "time.break", hours: "time.hours", notes: "common.notes",
};
const NUMBERS = ["break", "hours"];
const TOTAL = "total";

export async function show(main, params, context) {
  const person = context.me.user;
  const zone = zoneOfPerson();
  let day = today();
  let asked = 0;
  let timer;

  const title = h("h2", { class: "period-title", "aria-live": "polite" });
  const next = moving("right", t("common.next"), 1);
  const printing = h("button", { type: "button", class: "button button-primary", on: { click: () => print() } },
    icon("print"), t("time.print"));
  const previous = moving("left", t("common.previous"), -1);
  const controls = h("div", { class: "period cluster no-print" }, previous, next, printing);
  const sheet = table({
    label: t("time.weekSheet"),
    columns: Object.keys(LABELS).map((key) => ({ key, label: t(LABELS[key]), numeric: NUMBERS.includes(key) })),
    rows: [], keyOf: (row) => row.date, cell, rowHeader: "day",
  });
  const note = h("p", { class: "soft" });
  const { name } = context.organization;
  main.append(h("h1", { text: t("time.weekSheet") }), controls, h("section", { class: "sheet stack" },
    h("p", { class: "sheet-head" }, h("strong", { text: name }), h("span", { text: person.name })), title,
    sheet.element, note, h("div", { class: "signatures" }, line(person.name), line(name))));

  function moving(image, label, direction) {
    return h("button", { type: "button", class: "button", on: { click: () => move(direction) } }, icon(image), label);
  }

  function line(name) {
    return h("p", { class: "signature" }, h("span", { class: "signature-line" }), t("time.signature", { name }));
  }

  function move(direction) {
    if (direction > 0 && next.getAttribute("aria-disabled") === "true") return;
    day = step("week", day, direction);
    load();
  }

  async function load() {
    const turn = ++asked;
    const dates = datesOf("week", day);
    text(title, range(dates.from, dates.to));
    next.setAttribute("aria-disabled", String(dates.to >= today()));
    sheet.element.setAttribute("aria-busy", "true");
    try {
      const [entries, report] = await Promise.all([entriesOf(dates), reportOf(dates)]);
      if (turn === asked) fill(dates, entries, report);
    } catch (error) {
      if (turn === asked) alertBeside(controls, sentence(error));
    }
    if (turn === asked) sheet.element.removeAttribute("aria-busy");
  }

  /** A day more on both sides: the list goes by days of the organization's zone. */
  function entriesOf({ from, to }) {
    const dates = { startDate: addDays(from, -1), endDate: addDays(to, 1), match: "overlap" };
    return api.all(org("/timeEntries"), { userId: person.id, ...dates, limit: 200 }, "timeEntries");
  }

  async function reportOf({ from, to }) {
    const query = { userId: person.id, startDate: from, endDate: to, groupBy: "day", timeZone: zone };
    return (await api.get(org("/reports/hours"), query)).data;
  }

  function fill(dates, entries, report) {
    alertBeside(controls, null);
    const { totals } = report;
    const rows = sheetRows(dates, entries, report, zone);
    rows.push({ date: TOTAL, pieces: [], entries: totals.entries, notes: [], paidSeconds: totals.paidSeconds,
      breakSeconds: totals.unpaidBreakSeconds + totals.deductedBreakSeconds });
    sheet.update(rows);
    const sentences = [t("time.sheetZone", { zone: zoneName(zone) })];
    const deducted = totals.deductedBreakSeconds;
    if (deducted) sentences.push(t("time.sheetDeducted", { hours: hours(deducted) }));
    sentences.push(t("time.sheetMade", { date: longDate(localDate(now(), zone)), time: time(now(), zone) }));
    text(note, sentences.join(" "));
  }

  function cell(row, key) {
    if (key === "day") return row.date === TOTAL ? h("strong", { text: t("common.total") }) : date(row.date);
    if (key === "in") return lines(row.pieces.map((piece) => time(piece.from, zone)));
    if (key === "out") return lines(row.pieces.map((piece) => (piece.to ? time(piece.to, zone) : t("common.present"))));
    if (key === "break") return row.breakSeconds ? hours(row.breakSeconds) : "";
    if (key === "hours") return row.paidSeconds || row.date === TOTAL ? hours(row.paidSeconds) : "";
    const several = row.pieces.length < row.entries && row.date !== TOTAL;
    return lines([...(several ? [n("time.entries", row.entries)] : []), ...row.notes], "sheet-notes");
  }

  /** Asks again soon after a change of the person's own time. */
  function changed({ resource, data }) {
    if (data?.userId && data.userId !== person.id) return;
    if (resource !== "timeEntry" && resource !== "segment") return;
    clearTimeout(timer);
    timer = setTimeout(load, 300);
  }

  const offs = [store.on("change", changed), store.on("midnight", load), store.on("resync", load)];
  await load();
  return {
    title: t("time.weekSheet"),
    stop() {
      for (const off of offs) off();
      clearTimeout(timer);
      asked++;
    },
  };
}

function lines(texts, kind = "") {
  return texts.length > 0 && h("div", { class: `lines ${kind}`.trim() }, texts.map((line) => h("div", { text: line })));
}

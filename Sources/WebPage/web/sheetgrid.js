// The table "Timesheet": a row a person, a column a day, total and paid. Scrolls sideways in a region of its own.
import { hours, localDate, longDate, weekday } from "./format.js";
import { attribute, h, text } from "./h.js";
import { keyed } from "./list.js";
import { href } from "./router.js";
import { n, t } from "./words.js";

export function sheetGrid() {
  const head = h("tr");
  const body = h("tbody");
  const foot = h("tr");
  const table = h("table", { class: "timesheet" },
    h("caption", { class: "visually-hidden", text: t("manager.timesheet") }),
    h("thead", null, head), body, h("tfoot", null, foot));
  const scroll = { class: "timesheet-scroll", role: "region", tabindex: "0", "aria-label": t("manager.timesheet") };
  const element = h("div", scroll, table);
  let sheet;
  let found;

  function update(next, rows, whole) {
    sheet = next;
    found = anomalies(sheet);
    element.hidden = rows.length === 0;
    keyed(head, ["name", ...sheet.days, "total", "paid"], (key) => key, makeHead);
    keyed(body, rows, (row) => row.userId, makeRow, updateRow);
    foot.hidden = !whole || rows.length < 2;
    const { seconds, totalSeconds, paidSeconds } = sheet.totals;
    keyed(foot, [["all", t("manager.all")], ...[...seconds, totalSeconds, paidSeconds].entries()], ([key]) => key,
      ([key]) => h(key === "all" ? "th" : "td", { scope: key === "all" && "row", class: key !== "all" && "numeric" }),
      (cell, [key, value]) => text(cell, key === "all" ? value : shown(value)));
  }

  function makeHead(key) {
    const named = ["name", "total", "paid"].includes(key);
    return h("th", { scope: "col", class: key !== "name" && "numeric" },
      named ? t(`manager.column.${key}`) : [weekday(key), " ", h("span", { class: "soft" }, Number(key.slice(8)))]);
  }

  function makeRow() {
    const name = h("a");
    const cells = sheet.days.map(() => h("a"));
    const sums = [0, 1].map(() => h("td", { class: "numeric" }));
    const days = cells.map((cell) => h("td", { class: "numeric" }, cell));
    const row = h("tr", null, h("th", { scope: "row" }, name), days, sums);
    return Object.assign(row, { name, links: cells, sums });
  }

  function updateRow(row, of) {
    text(row.name, of.userName);
    attribute(row.name, "href", href(`people/${of.userId}`));
    sheet.days.forEach((day, index) => updateCell(row.links[index], of, day, of.seconds[index]));
    text(row.sums[0], hours(of.totalSeconds));
    text(row.sums[1], hours(of.paidSeconds));
  }

  function updateCell(cell, of, day, seconds) {
    const codes = found.get(`${of.userId} ${day}`) || [];
    const label = [`${of.userName}, ${longDate(day)}: ${hours(seconds)}`];
    const list = codes.map((code) => t(`manager.anomaly.${code}`)).join(", ");
    if (codes.length) label.push(n("manager.anomalies", codes.length, { list }));
    attribute(cell, "href", href(`people/${of.userId}`, { date: day }));
    attribute(cell, "aria-label", label.join(". "));
    const mark = codes.length ? `!${codes.length}` : "";
    if (cell.shownText === shown(seconds) + mark) return;
    cell.shownText = shown(seconds) + mark;
    cell.replaceChildren(shown(seconds), ...(mark ? [h("strong", { class: "timesheet-mark", text: mark })] : []));
  }

  return { element, update };
}

const shown = (seconds) => (seconds ? hours(seconds) : "–");

/** Points to check, by person and day: that on which the entry or the approved dates began, or the first one shown. */
function anomalies({ anomalies, days, timeZone }) {
  const found = new Map();
  for (const { userId, clockInTime, from, codes } of anomalies) {
    const date = clockInTime ? localDate(clockInTime, timeZone) : from;
    const key = `${userId} ${days.includes(date) ? date : days[0]}`;
    found.set(key, [...(found.get(key) || []), ...codes]);
  }
  return found;
}

// Timesheets: the time that each member worked on each day of a week, with points to check. For managers.
import { api, org } from "./api.js";
import { exportDialog } from "./export.js";
import { addDays, localDate, startOfWeek } from "./format.js";
import { h, icon } from "./h.js";
import { more, nameSearch } from "./more.js";
import { weekStart } from "./period.js";
import { sentence } from "./refusals.js";
import { now } from "./servertime.js";
import { sheetGrid } from "./sheetgrid.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";
import { weekBar } from "./weekbar.js";

let week = null;

export async function show(main) {
  const today = () => localDate(now(), store.get("organization").timeZone);
  week = startOfWeek(week || today(), weekStart());
  let sheet = null;
  let readAt = 0;
  let timer = null;
  let failed = false;
  const heading = h("h1", { tabindex: "-1", text: t("manager.timesheets") });
  const bar = weekBar({ week: () => week, today, pick });
  const openExport = () => exportDialog({ from: week, to: addDays(week, 6), opener: exporting });
  const exporting = h("button", { type: "button", class: "button", on: { click: openExport } },
    icon("download"), t("manager.export"));
  const search = nameSearch(render);
  const grid = sheetGrid();
  const rest = more(50, render);
  const empty = h("p", { class: "soft", hidden: true, text: t("manager.noTime") });
  main.append(heading, h("div", { class: "cluster" }, bar.element, exporting), search.element, grid.element, empty,
    rest.element);

  function pick(next) {
    week = next;
    load();
  }

  async function load() {
    clearTimeout(timer);
    timer = null;
    bar.update();
    const asked = week;
    failed = false;
    grid.element.setAttribute("aria-busy", "true");
    try {
      const { data } = await api.get(org("/reports/timesheet"), { period: "weekly", date: asked });
      if (asked !== week) return;
      sheet = data;
      readAt = performance.now();
      grid.element.removeAttribute("aria-busy");
      alertBeside(heading, null);
      render();
    } catch (error) {
      if (asked !== week) return;
      failed = true;
      alertBeside(heading, sentence(error));
    }
  }

  function render() {
    if (!sheet) return;
    search.show(sheet.rows.length);
    const found = sheet.rows.filter((row) => search.matches(row.userName));
    grid.update(sheet, rest.part(found), found.length === sheet.rows.length);
    empty.textContent = t(sheet.rows.length ? "common.nothing" : "manager.noTime");
    empty.hidden = found.length > 0;
  }

  /** Changes meanwhile are shown soon: a report is read no more than each 5 seconds. */
  function hear({ resource }) {
    if (timer || !["timeEntry", "segment", "member", "organization"].includes(resource)) return;
    timer = setTimeout(load, Math.max(500, readAt + 5000 - performance.now()));
  }

  const offs = [search.key(), store.on("change", hear), store.on("connection", (state) => {
    if (state === "ok" && failed) load();
  })];
  await load();
  return {
    title: t("manager.timesheets"),
    stop() {
      clearTimeout(timer);
      offs.forEach((off) => off());
    },
  };
}

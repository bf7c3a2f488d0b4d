// Previous Week, the dates, Next Week, This Week: for Timesheets and Plan.
import { addDays, range, startOfWeek } from "./format.js";
import { h, icon, text } from "./h.js";
import { weekStart } from "./period.js";
import { t } from "./words.js";

/** `week()`, `today()`: dates; `pick(first day)` is called by the buttons; `update()` shows the dates. */
export function weekBar({ week, today, pick }) {
  const button = (label, image, act) =>
    h("button", { type: "button", class: "button", "aria-label": label, on: { click: act } }, image);
  const dates = h("span", { class: "week-dates", "aria-live": "polite" });
  const current = () => startOfWeek(today(), weekStart());
  const element = h("div", { class: "cluster" },
    button(t("manager.previousWeek"), icon("left"), () => pick(addDays(week(), -7))),
    dates,
    button(t("manager.nextWeek"), icon("right"), () => pick(addDays(week(), 7))),
    h("button", { type: "button", class: "button", on: { click: () => pick(current()) } }, t("manager.thisWeek")));
  return { element, update: () => text(dates, range(week(), addDays(week(), 6))) };
}

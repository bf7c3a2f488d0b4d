// The list "Time entries": date and duration, times or ACTIVE, notes, flags in words, the session.
import { date, hours, plain, time } from "./format.js";
import { attribute, h, icon, text } from "./h.js";
import { keyed } from "./list.js";
import { now } from "./servertime.js";
import { store } from "./store.js";
import { has, t } from "./words.js";

/**
 * `{element, update(entries)}`: `zone` is the viewer's, `onEdit(entry, button)` opens an entry if `editable(entry)`.
 */
export function entryList({ entries = [], zone, onEdit, editable = () => true, empty }) {
  const list = h("ul", { class: "entries", "aria-label": t("clock.entries") });
  const nothing = h("p", { class: "soft", text: empty || t("clock.entries.empty") });
  const element = h("div", { class: "entries-place" }, list, nothing);

  function update(shown) {
    const show = (item, { entry }) => item.show(entry, zone, editable(entry));
    keyed(list, withKeys(shown), ({ key }) => key, () => row(onEdit), show);
    list.hidden = shown.length === 0;
    nothing.hidden = shown.length > 0;
  }
  update(entries);
  return { element, update };
}

/** A row stays the same while its entry is sent: its key is the clock-in. */
function withKeys(entries) {
  const seen = new Map();
  return entries.map((entry) => {
    const count = (seen.get(entry.clockInTime) || 0) + 1;
    seen.set(entry.clockInTime, count);
    return { entry, key: `${entry.clockInTime} ${count}` };
  });
}

function row(onEdit) {
  const [day, duration, times, active, notes, more] = Array.from({ length: 6 }, () => document.createTextNode(""));
  const activity = h("span", { class: "entry-active" }, active);
  const noted = h("p", { class: "entry-notes" }, notes);
  const extra = h("p", { class: "entry-more soft" }, more);
  let shown;
  const edit = onEdit && h("button", { type: "button", class: "button", on: { click: () => onEdit(shown, edit) } },
    icon("edit"), h("span", null, t("common.edit")));
  const item = h("li", { class: "entry" },
    h("div", { class: "entry-line" }, h("span", { class: "entry-date" }, day), h("strong", null, duration)),
    h("div", { class: "entry-line" }, h("span", { class: "entry-times" }, times, activity), edit),
    noted, extra);

  item.show = (entry, zone, isEditable) => {
    shown = entry;
    item.dataset.entry = entry.id;
    const entryZone = entry.timeZone || zone;
    const start = time(entry.clockInTime, entryZone);
    text(day, date(entry.date));
    text(duration, hours(seconds(entry)));
    const end = entry.clockOutTime ? time(entry.clockOutTime, entryZone) : t("clock.entries.present");
    text(times, `${start} – ${end}`);
    text(active, entry.clockOutTime ? "" : ` • ${t("clock.entries.active")}`);
    text(notes, plain(entry.notes));
    noted.hidden = !entry.notes;
    const rest = details(entry, zone);
    text(more, rest);
    extra.hidden = !rest;
    if (edit) {
      attribute(edit, "aria-label", t("clock.entries.edit", { date: date(entry.date), time: start }));
      edit.hidden = Boolean(entry.pending) || !isEditable;
    }
  };
  return item;
}

/** Whole seconds of an entry, to now while it runs. */
export function seconds(entry) {
  if (!entry.clockOutTime) return Math.max(0, Math.floor((now() - Date.parse(entry.clockInTime)) / 1000));
  return entry.durationSeconds ?? Math.floor((Date.parse(entry.clockOutTime) - Date.parse(entry.clockInTime)) / 1000);
}

function details(entry, zone) {
  const session = entry.sessionId && store.records("session").get(entry.sessionId)?.title;
  const flags = (entry.flags || []).map((flag) => (has(`clock.flag.${flag}`) ? t(`clock.flag.${flag}`) : flag));
  const elsewhere = entry.timeZone && entry.timeZone !== zone ? entry.timeZone.replace(/_/g, " ") : null;
  return [session, elsewhere, ...flags, entry.pending && t("clock.entries.unsent")].filter(Boolean).join(" · ");
}

// The fields of the entry form: their display, their meaning in the entry's zone, and which of them is wrong.
import { field } from "./form.js";
import { date as shownDate, hours, plain, time } from "./format.js";
import { h, text } from "./h.js";
import { zoneName, zoneOfPerson } from "./period.js";
import { sentence } from "./refusals.js";
import { fieldsOf, instantsAt, spanOf } from "./span.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** Which field a refusal is about. */
const PLACES = {
  overlap: "start", too_far_back: "date",
  in_future: "end", end_not_after_start: "end", too_long: "end", too_short: "end",
  notes_too_long: "notes", notes_invalid: "notes", reason_required: "reason", reason_invalid: "reason",
};

/** The values entered: `values`, `span`, `notes`, `reason`; `before` are those shown of the entry. */
export function entryFields({ entry, zone, date, draft, withReason, rights }) {
  const closed = !entry || entry.clockOutTime !== null;
  const limit = store.get("organization").policy.notesMaximumCharacters;
  const made = {
    date: field({ label: t("common.date"), name: "date", type: "date", required: true, hint: zoneHint(zone) }),
    start: field({ label: t("common.start"), name: "start", type: "time", required: true }),
    end: closed ? field({ label: t("common.end"), name: "end", type: "time", required: true }) : null,
    notes: field({ label: t("common.notes"), name: "notes", type: "textarea", max: limit }),
    reason: null,
  };
  if (withReason) {
    made.reason = field({ label: t("common.reason"), name: "reason", required: true, hint: t("time.reasonHint") });
  }
  const again = { start: repeated("startAgain", made.start), end: closed ? repeated("endAgain", made.end) : null };
  const meaning = h("p", { class: "hint entry-meaning", "aria-live": "polite" });
  const fields = Object.values(made).filter(Boolean);
  const it = {
    fields,
    before: null,
    element: h("div", { class: "stack entry-fields" }, made.date.element,
      h("div", { class: "entry-times" }, made.start.element, made.end?.element), wide(made.start), wide(made.end),
      again.start.element, again.end?.element,
      closed ? meaning : h("p", { class: "hint", text: t("time.stillRunning") }),
      made.notes.element, made.reason?.element,
      !rights.times && h("p", { class: "soft", text: t(rights.notes ? "time.timesClosed" : "time.windowClosed") })),
    get notes() {
      return made.notes.value.trim();
    },
    get reason() {
      return made.reason?.value.trim();
    },
    get values() {
      const end = made.end?.value ?? "";
      return {
        date: made.date.value, start: made.start.value, startAgain: again.start.value, end,
        endAgain: again.end?.value ?? false, endDays: it.before?.end === end ? it.before.endDays : null,
      };
    },
    get span() {
      return spanOf(it.values, zone);
    },
    /** Takes another state as the base of changes; the fields' content stays. */
    rebase(record) {
      it.before = fieldsOf(at(record.clockInTime), at(record.clockOutTime), zone);
    },
    show(record) {
      it.rebase(record);
      for (const name of ["date", "start", "end"]) if (made[name]) made[name].value = it.before[name];
      again.start.value = it.before.startAgain;
      if (again.end) again.end.value = it.before.endAgain;
      made.notes.value = plain(record.notes);
      for (const one of fields) one.fail(null);
      explain();
    },
    /** Whether the times are some that the clock shows; a wrong field says so. */
    check() {
      const { date, start, end } = it.values;
      const span = it.span;
      const skipped = (clock, day) => t("time.skipped", { time: written(clock), date: shownDate(day) });
      if (span.from === null) return alone(made.start, skipped(start, date));
      if (end && span.to === null) return alone(made.end, skipped(end, span.endDate));
      return true;
    },
    /** Shows a refusal beside the field that it is about; false if it is about none. */
    fail(error) {
      const place = made[PLACES[error.code]];
      if (!place || !("status" in error)) return false;
      alone(place, sentence(error));
      return true;
    },
  };

  function alone(one, sentence) {
    for (const other of fields) other.fail(null);
    one.fail(sentence, true);
    one.focus();
    return false;
  }

  /** Says how long it is, on which day it ends, and offers the second of two equal times. */
  function explain() {
    const span = it.span;
    again.start.offer(span.startTwice, made.start.value);
    again.end?.offer(span.endTwice, made.end.value);
    if (!closed) return;
    const { date, endDays } = it.values;
    const sentences = [];
    if (span.endDate && span.endDate !== date) {
      sentences.push(t(endDays > 1 ? "time.endsLater" : "time.endsNextDay", { date: shownDate(span.endDate) }));
    }
    if (span.from !== null && span.to !== null) {
      sentences.push(t("time.length", { hours: hours(Math.max(0, span.to - span.from) / 1000) }));
    }
    const former = it.before && spanOf(it.before, zone);
    if (former && (span.from > former.from || (span.to !== null && span.to < former.to))) sentences.push(t("time.cuts"));
    text(meaning, sentences.join(" "));
  }

  for (const name of ["date", "start", "end"]) made[name]?.input.addEventListener("input", explain);
  for (const one of [again.start, again.end]) one?.input.addEventListener("input", explain);
  for (const name of ["date", "start", "end"]) if (made[name]) made[name].input.disabled = !rights.times;
  made.notes.input.disabled = !rights.notes;
  if (entry) it.show(entry);
  else {
    const drafted = draft?.clockInTime ? fieldsOf(at(draft.clockInTime), at(draft.clockOutTime), zone) : { date };
    for (const name of ["date", "start", "end"]) made[name].value = drafted[name] ?? "";
    made.notes.value = draft?.notes ?? "";
    explain();
  }
  return it;

  /** A checkbox that is seen only if the clocks show a time twice. */
  function repeated(name) {
    const box = field({ label: "", name, type: "checkbox" });
    const label = box.element.querySelector("label span");
    return {
      element: box.element, input: box.input,
      get value() {
        return box.value;
      },
      set value(next) {
        box.value = next;
      },
      offer(twice, clock) {
        box.element.hidden = !twice;
        if (twice) text(label, t("time.secondOne", { time: written(clock) }));
      },
    };
  }
}

/** A field's error, taken out of its half of the line: below both it has room. */
const wide = (one) => one?.element.querySelector(".field-error");

/** "02:30" as the language writes it. */
export function written(clock) {
  return time(instantsAt("2026-01-01", clock, "UTC")[0], "UTC");
}

const at = (instant) => (instant ? Date.parse(instant) : null);

const zoneHint = (zone) => (zone === zoneOfPerson() ? null : t("time.zone", { zone: zoneName(zone) }));

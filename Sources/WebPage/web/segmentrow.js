// One break or project of an entry in its form: its name, its start and its end on the clock.
import { api, org } from "./api.js";
import { wallTime } from "./format.js";
import { attribute, dot, h, text } from "./h.js";
import { instantText, instantWithin } from "./span.js";
import { store } from "./store.js";
import { t } from "./words.js";

let count = 0;

/** `changed`; `send(entry, reason)` → the error, if it was refused; `fail(sentence)` → false; `rebase(segment)`. */
export function segmentRow(segment, name, zone, editable) {
  const id = `segment-${++count}`;
  const input = (key) => h("input", { type: "time", "aria-label": t(key, { name }), disabled: !editable });
  const start = input("time.startOf");
  const end = segment.endTime ? input("time.endOf") : null;
  const error = h("p", { class: "field-error", id, role: "alert", hidden: true });
  const project = store.records("project").get(segment.projectId);
  let kept = null;
  let shown = { start: "", end: "" };

  const moved = () => ({ start: start.value !== shown.start, end: Boolean(end) && end.value !== shown.end });
  const it = {
    id: segment.id,
    element: h("li", { class: "segment-row" },
      h("span", { class: "segment-name" }, project && [dot(project.color), " "], name),
      h("span", { class: "segment-times" }, start, " – ", end ?? t("common.present")), error),
    get changed() {
      return moved().start || moved().end;
    },
    /** Takes the segment as the service has it; entered values stay. */
    rebase(record) {
      const keep = kept ? moved() : {};
      kept = record;
      shown = { start: wallTime(record.startTime, zone), end: record.endTime ? wallTime(record.endTime, zone) : "" };
      if (!keep.start) start.value = shown.start;
      if (end && !keep.end) end.value = shown.end;
    },
    async send(entry, reason) {
      const body = reason ? { reason } : {};
      const from = Date.parse(entry.clockInTime);
      const to = entry.clockOutTime && Date.parse(entry.clockOutTime);
      const instant = (clock, former) => {
        const near = Date.parse(former);
        return instantText(instantWithin(clock, from, to, near, zone) ?? near);
      };
      if (moved().start) body.startTime = instant(start.value, kept.startTime);
      if (moved().end) body.endTime = instant(end.value, kept.endTime);
      try {
        const { data } = await api.send("PATCH", org(`/segments/${kept.id}`), body, { ifMatch: `"${kept.version}"` });
        kept = data;
        it.rebase(data);
        return null;
      } catch (error) {
        if (error.problem?.current) kept = error.problem.current;
        return error;
      }
    },
    fail(sentence) {
      text(error, sentence || "");
      error.hidden = !sentence;
      for (const one of [start, end].filter(Boolean)) {
        attribute(one, "aria-describedby", sentence && id);
        attribute(one, "aria-invalid", sentence ? "true" : null);
      }
      if (sentence) (moved().start || !end ? start : end).focus();
      return false;
    },
  };
  return it;
}

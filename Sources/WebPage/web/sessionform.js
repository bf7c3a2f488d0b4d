// Dialog "Add Session" and "Edit Session": title, date, times, place, and a checkbox a member.
import { api, org } from "./api.js";
import { actKey, zoneHint } from "./clockout.js";
import { conflict } from "./conflict.js";
import { formDialog } from "./form.js";
import { addDays, instantOf, wallTime } from "./format.js";
import { memberPicker } from "./memberpicker.js";
import { message } from "./shell.js";
import { t } from "./words.js";

/** `session`: null for a new one, on `date`. `members` are those to pick from; `zone` that of the times. */
export function editSession({ session, date, members, zone, opener, done }) {
  let version = session?.version;
  const assigned = (session?.assignees || []).map(({ id, name }) => ({ userId: id, name }));
  // An assignee may have been deactivated since, and stays visible.
  const all = [...assigned.filter(({ userId }) => !members.some((member) => member.userId === userId)), ...members];
  const picker = memberPicker(all, assigned.map(({ userId }) => userId));
  const clash = conflict();
  const once = actKey();
  const wall = (instant) => (instant ? wallTime(instant, zone) : "");
  const hint = [t("manager.nightHint"), zoneHint(zone)].join(" ").trim();
  const dialog = formDialog({
    title: t(session ? "manager.editSession" : "manager.addSession"),
    fields: [
      { label: t("manager.title"), name: "title", value: session?.title, required: true },
      { label: t("common.date"), name: "date", type: "date", value: session?.date || date, required: true },
      { label: t("common.start"), name: "startTime", type: "time", value: wall(session?.startTime) },
      { label: t("common.end"), name: "endTime", type: "time", value: wall(session?.endTime), hint },
      { label: t("manager.location"), name: "location", value: session?.location || "" },
    ],
    extra: [picker.element, clash.element],
    opener,
    save,
  });
  const [title, day, start, end, location] = dialog.fields;
  const shown = [day, start, end].map(({ value }) => value);

  async function save() {
    const body = content();
    if (!body) return false;
    try {
      const { data } = session
        ? await api.send("PATCH", org(`/sessions/${session.id}`), { ...body, version })
        : await once(body, (key) => api.send("POST", org("/sessions"), body, { key }));
      done(data);
    } catch (error) {
      if (error.code !== "precondition_failed" || !error.problem.current) throw error;
      offer(error);
      throw error;
    }
    message(t("common.saved"));
    return true;
  }

  /** The values of the fields, as the API takes them; null if a time does not exist. */
  function content() {
    const { startTime: starts, endTime: ends } = times();
    start.fail(start.value && !starts ? t("manager.skipped") : null);
    end.fail(end.value && !ends ? t("manager.skipped") : null);
    if ((start.value && !starts) || (end.value && !ends)) return null;
    return { title: title.value, date: day.value, startTime: starts, endTime: ends, location: location.value || null,
      assignees: picker.value.map((id) => ({ id })) };
  }

  /** Untouched times stay as they are, on any date. */
  function times() {
    const touched = [day, start, end].some((field, index) => field.value !== shown[index]);
    if (session && !touched) return session;
    const endDate = start.value && end.value && end.value <= start.value ? addDays(day.value, 1) : day.value;
    return {
      startTime: start.value ? instantOf(day.value, start.value, zone) : null,
      endTime: end.value ? instantOf(endDate, end.value, zone) : null,
    };
  }

  /** Somebody changed it meanwhile: theirs into the fields, or mine over it. */
  function offer({ problem: { current } }) {
    clash.offer({
      theirs() {
        dialog.close();
        editSession({ session: current, members, zone, opener, done });
      },
      mine() {
        version = current.version;
        dialog.element.querySelector("form").requestSubmit();
      },
    });
  }
}

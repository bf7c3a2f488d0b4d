// The dialog "Add Entry" or "Edit Entry": a date, a start and an end on the clock, notes, and why another's is changed.
import { api, org, uuid } from "./api.js";
import { dialog } from "./dialog.js";
import { rightsOf } from "./editable.js";
import { entryFields } from "./entryfields.js";
import { segmentEditor } from "./entrysegments.js";
import { focusHeading } from "./focus.js";
import { complete } from "./form.js";
import { plain } from "./format.js";
import { h } from "./h.js";
import { today, zoneOfPerson } from "./period.js";
import { message } from "./shell.js";
import { changedTimes, instantText } from "./span.js";
import { store } from "./store.js";
import { t } from "./words.js";

/**
 * Opens the dialog; `entry` is null to add one, `member` the person whose time it is, if that is another. A new entry
 * begins with `date`, or with `draft`: `{clockInTime, clockOutTime, notes, sessionId}`, all of them optional.
 */
export function editEntry({ entry = null, member = null, date = null, draft = null, opener }) {
  const me = store.get("me").user.id;
  const owner = entry?.userId ?? member?.userId ?? me;
  const another = owner !== me;
  const zone = entry?.timeZone ?? (another ? member?.timeZone ?? store.get("organization").timeZone : zoneOfPerson());
  const rights = entry ? rightsOf(entry) : { notes: true, times: true, remove: false };
  const form = entryFields({ entry, zone, date: date ?? today(), draft, withReason: another, rights });
  const segments = entry && segmentEditor(entry, zone, rights.times);
  let saved = entry;
  let key = null;

  const cancel = { label: t("common.cancel"), kind: "plain" };
  const actions = [{ label: t("common.save"), kind: "primary", act: save }, cancel];
  if (entry) actions.push({ label: t("time.deleteEntry"), kind: "danger", act: askToDelete });
  const opened = dialog({
    title: t(entry ? "time.editEntry" : "time.addEntry"), opener, onClose: () => keepFocus(entry?.id),
    content: [another && member && h("p", { class: "soft", text: member.name }), form.element, segments?.element],
    actions,
  });
  const [saveButton, , deleteButton] = opened.element.querySelectorAll(".actions > button");
  const conflict = conflictButtons(opened, showTheirs, () => saveButton.click());
  if (deleteButton) deleteButton.hidden = !rights.remove;
  if (!rights.notes) saveButton.hidden = true;
  if (entry?.clockOutTime === null) askWhatIsAllowed();

  async function askWhatIsAllowed() {
    try {
      const { data } = await api.get(org("/timeEntries/current"), { userId: owner });
      if (data.timeEntry?.id === entry.id) deleteButton.hidden = !rightsOf(entry, data.allowed).remove;
    } catch {
      // Without an answer a running entry is not offered to be deleted.
    }
  }

  async function save() {
    conflict.hidden = true;
    if (!complete(form.fields) || !form.check()) return false;
    try {
      if (!entry) await create();
      else {
        await change();
        if (!(await segments.save(saved, form.reason))) return false;
      }
    } catch (error) {
      return refused(error);
    }
    message(t("common.saved"));
    return true;
  }

  /** The same key is sent again until the service has decided. */
  async function create() {
    const { from, to } = form.span;
    const times = { clockInTime: instantText(from), clockOutTime: instantText(to), timeZone: zone };
    const body = { ...times, notes: form.notes || null };
    if (another) Object.assign(body, { userId: owner, reason: form.reason });
    if (draft?.sessionId) body.sessionId = draft.sessionId;
    const text = JSON.stringify(body);
    if (key?.text !== text) key = { text, id: uuid() };
    try {
      const { data } = await api.send("POST", org("/timeEntries"), body, { key: key.id });
      store.take("timeEntry", data);
    } catch (error) {
      if (error.status < 500 && error.code !== "request_in_progress") key = null;
      throw error;
    }
  }

  async function change() {
    const body = rights.times ? changedTimes(form.before, form.values, saved, zone) : {};
    const cut = Object.keys(body).length > 0;
    if (form.notes !== plain(saved.notes).trim()) body.notes = form.notes || null;
    if (Object.keys(body).length === 0) return;
    if (another) body.reason = form.reason;
    const { data } = await api.send("PATCH", org(`/timeEntries/${entry.id}`), body, { ifMatch: `"${saved.version}"` });
    take(data);
    if (cut) await segments.refresh();
  }

  function take(record) {
    saved = record;
    form.rebase(record);
    store.take("timeEntry", record);
  }

  /** Shows a refusal beside its field; a change by somebody else with two ways to go on. */
  function refused(error) {
    if (error.code === "precondition_failed" && error.problem.current) {
      conflict.theirs = error.problem.current;
      conflict.hidden = false;
    } else if (form.fail(error)) return false;
    throw error;
  }

  function showTheirs() {
    if ((saved.clockOutTime === null) !== (entry.clockOutTime === null)) {
      opened.close();
      editEntry({ entry: saved, member, opener });
      return;
    }
    form.show(saved);
    segments.refresh(true);
    opened.fail(null);
    form.fields[0].focus();
  }

  async function askToDelete() {
    if (another && !complete(form.fields.filter((field) => field.name === "reason"))) return false;
    const button = opened.element.querySelector(".button-danger");
    dialog({
      title: t("time.deleteEntry"), opener: button,
      content: h("p", { text: t("time.deleteQuestion") }),
      actions: [{ label: t("time.deleteEntry"), kind: "danger", act: remove }, cancel],
    });
    return false;
  }

  async function remove() {
    try {
      const query = another ? { reason: form.reason } : undefined;
      await api.send("DELETE", org(`/timeEntries/${entry.id}`), undefined, { query, ifMatch: `"${saved.version}"` });
    } catch (error) {
      if (error.code === "precondition_failed" && error.problem.current) saved = error.problem.current;
      if (error.code !== "time_entry_not_found") throw error;
    }
    store.drop("timeEntry", entry.id);
    opened.close();
    message(t("common.deleted"));
  }

  /** Two buttons below the alert; which of both states stays is the person's choice. */
  function conflictButtons(opened, theirs, mine) {
    const row = h("div", { class: "cluster" }, press("common.showTheirs", theirs), press("common.keepMine", mine));
    row.hidden = true;
    opened.element.querySelector(".alert-room").after(row);
    return row;

    function press(label, act) {
      return h("button", { type: "button", class: "button", on: { click: () => {
        take(row.theirs);
        row.hidden = true;
        act();
      } } }, t(label));
    }
  }
}

/** If the entry's row was replaced or is gone, its successor or the heading gets its focus. */
function keepFocus(id) {
  for (const wait of [50, 400, 1500]) {
    setTimeout(() => {
      if (document.activeElement !== document.body || document.querySelector("dialog[open]")) return;
      const button = document.querySelector(`li[data-entry="${id}"] button`);
      if (button) button.focus();
      else focusHeading(document.querySelector("main"));
    }, wait);
  }
}

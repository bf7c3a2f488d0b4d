// The dialogs of Admin: one that makes or changes a record, and one that asks before something is gone.
import { api, org, Refusal } from "./api.js";
import { conflictChoices, editing } from "./admin_edit.js";
import { actOn } from "./admin_names.js";
import { actKeys, tag } from "./admin_parts.js";
import { dialog } from "./dialog.js";
import { focusHeading } from "./focus.js";
import { h } from "./h.js";
import { complete, showError } from "./form.js";
import { message } from "./shell.js";
import { t } from "./words.js";

/**
 * A form for a record, or for a new one without `record`. `send(body, {key, ifMatch})` → the answer; `saved(record)` is
 * called with the service's answer. `also`: a further button `{label, saved}`, which saves and goes on its own way.
 */
export function recordDialog({ title, fields, record, read, write, send, saved, also, opener }) {
  const keyed = actKeys();
  const edit = editing({ fields, record, read, write,
    send: (body, ifMatch) => (ifMatch ? send(body, { ifMatch }) : keyed(body, (key) => send(body, { key }))) });
  let choices = null;

  const save = (then) => async () => {
    choices?.remove();
    if (!complete(fields)) return false;
    try {
      await then(await edit.save());
    } catch (error) {
      if (error instanceof Refusal && error.status === 412) differ(error.problem.current);
      showError(fields, error, opened.fail);
      return false;
    }
  };

  /** Offers the service's present values, and the admin's own. */
  function differ(current) {
    const go = (keepMine) => () => {
      edit.rebase(current, keepMine);
      choices.remove();
      opened.fail(null);
      (keepMine ? submit() : fields[0]).focus();
      if (keepMine) submit().click();
    };
    choices = conflictChoices(go(false), go(true));
    opened.element.querySelector(".alert-room").after(choices);
  }

  const submit = () => opened.element.querySelector("[type=submit]");
  const opened = dialog({
    title, opener,
    content: fields.map(({ element }) => element),
    actions: [
      { label: t("common.save"), kind: "primary", act: save(saved) },
      also && { label: also.label, act: save(also.saved) },
      { label: t("common.cancel") },
    ].filter(Boolean),
  });
  return opened;
}

/** Shows the service's answer by `put`, and says so. */
const shown = (put) => (record) => {
  put(record);
  message(t("common.saved"));
};

/** Makes a record at `place`, below the organization, and shows it by `put`; the rest is as recordDialog takes it. */
export const addDialog = ({ place, put, saved = shown(put), ...rest }) => recordDialog({ ...rest, saved,
  send: (values, { key }) => api.send("POST", org(place), values, { key }) });

/** Changes a record at `path`, and shows it by `put`; the rest is as recordDialog takes it. */
export const editDialog = ({ path, put, record, name = record.name, ...rest }) => recordDialog({ ...rest, record,
  title: actOn(t("common.edit"), name), saved: shown(put),
  send: (values, { ifMatch }) => api.send("PATCH", path, values, { ifMatch }) });

/**
 * Asks before something is deactivated, deleted or forgotten. `act(ifMatch, values)`; if somebody changed the record
 * meanwhile, it is said, and pressing again means the record as it is now.
 */
export function confirmDialog({ title, text, label, fields = [], record, act, changed = () => {}, opener }) {
  let current = record;
  const confirm = async () => {
    if (!complete(fields)) return false;
    try {
      await act(current.version && tag(current), Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    } catch (error) {
      if (error instanceof Refusal && error.status === 412) changed((current = error.problem.current));
      showError(fields, error, opened.fail);
      return false;
    }
  };
  const opened = dialog({
    title, opener, onClose: keepFocus,
    content: [h("p", { text }), fields.map(({ element }) => element)],
    actions: [{ label, kind: "danger", act: confirm }, { label: t("common.cancel") }],
  });
  return opened;
}

/** If the button that opened a dialog is gone, the heading has focus. */
function keepFocus() {
  if (document.activeElement === document.body) focusHeading(document.querySelector("main"));
}

// Fields with labels, hints and errors, and dialogs that are made of them.
import { dialog } from "./dialog.js";
import { attribute, h, text } from "./h.js";
import { sentence } from "./refusals.js";
import { has, t } from "./words.js";

let count = 0;

/** A field. `input` is its control; of radio buttons, their group. */
export function field(options) {
  const { label, name, type = "text", value, hint, required, max, autocomplete } = options;
  const id = `field-${++count}`;
  const error = h("p", { class: "field-error", id: `${id}-error`, hidden: true });
  const hinted = hint && h("p", { class: "hint", id: `${id}-hint` }, hint);
  const input = type === "radio" ? radios(id, options) : control(id, options);
  const counter = max && type === "textarea" ? h("p", { class: "hint counter" }) : null;
  if (required && type !== "radio") input.setAttribute("aria-required", "true");
  if (autocomplete) input.setAttribute("autocomplete", autocomplete);
  describe(null);

  const element = type === "checkbox"
    ? h("div", { class: "field" }, h("label", { class: "check" }, input, h("span", null, label)), hinted, error)
    : h("div", { class: "field" },
        type === "radio" ? h("span", { class: "label", id: `${id}-label` }, label) : h("label", { for: id }, label),
        type === "password" ? revealed(input) : input, counter, hinted, error);

  function describe(failed) {
    const ids = [hinted && `${id}-hint`, failed && `${id}-error`].filter(Boolean).join(" ");
    if (ids) input.setAttribute("aria-describedby", ids);
    else input.removeAttribute("aria-describedby");
    if (failed) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  function countUp() {
    if (counter) text(counter, `${[...input.value].length} / ${max}`);
  }
  const it = {
    element, input, name, required, type,
    get value() {
      if (type === "checkbox") return input.checked;
      if (type === "radio") return input.querySelector("input:checked")?.value ?? null;
      return input.value;
    },
    set value(next) {
      if (type === "checkbox") input.checked = Boolean(next);
      else if (type === "radio") check(input, String(next));
      else input.value = next ?? "";
      countUp();
    },
    /** Shows an error beside the field, as an alert if the service says so; null removes it. */
    fail(sentence, isAlert = false) {
      attribute(error, "role", isAlert && "alert");
      error.hidden = !sentence;
      text(error, sentence || "");
      describe(sentence);
    },
    focus() {
      (type === "radio" ? input.querySelector("input:checked, input") : input).focus();
    },
  };
  if (value !== undefined) it.value = value;
  countUp();
  input.addEventListener("input", countUp);
  return it;
}

function control(id, { name, type = "text", options = [] }) {
  if (type === "textarea") return h("textarea", { id, name, rows: 3 });
  if (type === "select") {
    return h("select", { id, name }, options.map(({ value, label }) => h("option", { value }, label)));
  }
  const plain = type === "email" || type === "password";
  return h("input", { id, name, type, autocapitalize: plain && "none", spellcheck: plain && "false" });
}

function radios(id, { options = [] }) {
  const group = { role: "radiogroup", "aria-labelledby": `${id}-label`, class: "radios" };
  return h("div", group, options.map(({ value, label }) =>
    h("label", { class: "check" }, h("input", { type: "radio", name: id, value }), h("span", null, label))));
}

function check(group, value) {
  for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === value;
}

/** A password with a button that shows it. */
function revealed(input) {
  const button = h("button", { type: "button", class: "button", "aria-pressed": "false", on: { click: () => {
    const shown = input.type === "password";
    input.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  } } }, t("common.showPassword"));
  return h("div", { class: "reveal" }, input, button);
}

/** The field that causes a refusal without a pointer. */
const CAUSES = {
  notes_too_long: "notes", notes_invalid: "notes", reason_required: "reason", reason_invalid: "reason",
  invalid_email: "email", member_exists: "email", address_taken: "email", email_in_use: "email", invalid_name: "name",
  invalid_title: "title", invalid_location: "location", invalid_url: "url", address_not_allowed: "url",
  personnel_number_in_use: "personnelNumber", invalid_personnel_number: "personnelNumber",
  wrong_password: "currentPassword",
};

/** Shows an error of a form: beside the fields that the problem points to or that cause it, else by `fail`. */
export function showError(fields, error, fail) {
  const named = (name) => fields.find((field) => field.name === name && !field.element.hidden);
  const pointed = (error.errors || []).map(({ pointer, code, detail }) => (
    { field: named((pointer || "").split("/").pop()), said: has(`refusal.${code}`) ? t(`refusal.${code}`) : detail }));
  const found = pointed.filter(({ field }) => field);
  const cause = named(CAUSES[error.code]);
  if (!found.length && cause) found.push({ field: cause, said: sentence(error) });
  found.forEach(({ field, said }, k) => field.fail(said, k === 0));
  if (found.length) found[0].field.focus();
  else fail(sentence(error));
}

/** Whether required fields are filled; an empty one says so, and the first gets focus. */
export function complete(fields) {
  let first = null;
  for (const field of fields) {
    const missing = field.required && (field.value === "" || field.value === null);
    field.fail(missing ? t("common.required") : null);
    if (missing) first ||= field;
  }
  first?.focus();
  return !first;
}

/**
 * A form in a dialog with Save and Cancel. `fields` are made by `field`, or are its options; `extra` are nodes below
 * them, or further actions. `save(values)` may return false to stay.
 */
export function formDialog({ title, fields, save, saveLabel, extra = [], opener, onClose }) {
  const made = fields.map((one) => (one.element ? one : field(one)));
  const more = [extra].flat().filter(Boolean);
  const opened = dialog({
    title, opener, onClose,
    content: [made.map(({ element }) => element), more.filter((one) => !one.act)],
    actions: [
      { label: saveLabel || t("common.save"), kind: "primary", act: trySave },
      { label: t("common.cancel") },
      ...more.filter((one) => one.act),
    ],
  });
  async function trySave() {
    if (!complete(made)) return false;
    try {
      return await save(Object.fromEntries(made.map(({ name, value }) => [name, value])));
    } catch (error) {
      showError(made, error, opened.fail);
      return false;
    }
  }
  return { ...opened, fields: made };
}

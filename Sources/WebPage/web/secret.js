// A secret that the service shows this once: a read-only text box with Copy, in a dialog of its own.
import { dialog } from "./dialog.js";
import { h, icon } from "./h.js";
import { t } from "./words.js";

let counter = 0;

/** Selects a text box's text, and shows where it begins. */
function choose(input) {
  input.select();
  input.scrollLeft = 0;
}

/** Puts a text box's text on the clipboard, also over plain HTTP, if there is no `navigator.clipboard`. */
async function copy(input) {
  choose(input);
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

/** The text box `label` with the button `copyLabel`, which shows the outcome. */
export function secretBox({ label, value, copyLabel }) {
  const id = `secret-${++counter}`;
  const input = h("input", { id, type: "text", class: "secret", readonly: true, value, autocomplete: "off",
    spellcheck: "false", on: { focus: () => choose(input) } });
  const said = h("p", { class: "soft secret-said", role: "status" });
  const press = async () => {
    said.textContent = (await copy(input)) ? t("common.copied") : t("admin.copyByHand");
  };
  return h("div", { class: "field" }, h("label", { for: id, text: label }),
    h("div", { class: "secret-row" }, input,
      h("button", { type: "button", class: "button", on: { click: press } }, icon("copy"), copyLabel)), said);
}

/** Shows a secret that no other answer has; closing the dialog forgets it. */
export function showSecret({ title, hint, opener, ...box }) {
  const shown = dialog({
    title,
    content: h("div", { class: "stack" }, h("p", { text: hint }), secretBox(box)),
    actions: [{ label: t("admin.done"), kind: "primary", act: async () => {} }],
    opener,
  });
  shown.element.querySelector(".secret")?.focus();
  return shown;
}

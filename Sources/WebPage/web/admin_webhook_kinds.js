// A field of checkboxes: of which kinds of resources a webhook is sent changes; none of them means all.
import { KINDS, kindName } from "./admin_kinds.js";
import { fieldName } from "./admin_names.js";
import { h } from "./h.js";
import { t } from "./words.js";

/** Reminders are sent with all kinds; a webhook cannot ask for them. */
const CHOICES = KINDS.filter((kind) => kind !== "reminder");

let count = 0;

/** A field named `resources`, as form.js makes them; its value is null or an array in the contract's order. */
export function kindsField() {
  const id = `kinds-${++count}`;
  const boxes = CHOICES.map((kind) => h("input", { type: "checkbox", value: kind }));
  const failed = h("p", { class: "field-error", id: `${id}-error`, hidden: true });
  const element = h("fieldset", { class: "field admin-kinds", "aria-describedby": `${id}-hint ${id}-error` },
    h("legend", { text: fieldName("resources") }),
    h("p", { class: "hint", id: `${id}-hint`, text: t("admin.webhooks.kinds") }),
    h("div", { class: "admin-boxes" }, boxes.map((box) =>
      h("label", { class: "check" }, box, h("span", { text: kindName(box.value) })))),
    failed);
  return {
    element, name: "resources", required: false,
    get value() {
      const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
      return chosen.length ? chosen : null;
    },
    set value(kinds) {
      for (const box of boxes) box.checked = (kinds || []).includes(box.value);
    },
    fail(sentence) {
      failed.textContent = sentence || "";
      failed.hidden = !sentence;
    },
    focus: () => boxes[0].focus(),
  };
}

// The policy's break rules as a field: after so much work so much break, five rules at most.
import { h } from "./h.js";
import { withUnit } from "./admin_names.js";
import { field } from "./form.js";
import { t } from "./words.js";

const MOST = 5;
const amount = (seconds, factor) => (seconds == null ? "" : String(Math.round((seconds / factor) * 10000) / 10000));
const seconds = (typed, factor) => Math.round(Number(typed) * factor);

/** A number in its unit. */
function numberField(name, unit, max, value) {
  const label = withUnit(t(`admin.rules.${name}`), t(`admin.unit.${unit}`));
  const made = field({ label, name, type: "number", required: true, value });
  Object.assign(made.input, { min: 0, max, step: "any" });
  return made;
}

/** A field named `breakRules`, as form.js makes them; its value is the rules by rising `afterSeconds`. */
export function rulesField(label, hint) {
  let rows = [];
  const failed = h("p", { class: "field-error", role: "alert", hidden: true });
  const list = h("ul", { class: "admin-rules" });
  const press = () => add({}).after.focus();
  const more = h("button", { type: "button", class: "button", on: { click: press } }, t("admin.rules.add"));
  const element = h("fieldset", { class: "field" },
    h("legend", { text: label }), h("p", { class: "hint", text: hint }), list, more, failed);

  /** A rule's row: two numbers, and a button that takes it away. */
  function add({ afterSeconds, breakSeconds }) {
    const after = numberField("after", "hours", 24, amount(afterSeconds, 3600));
    const lasts = numberField("break", "minutes", 1440, amount(breakSeconds, 60));
    const row = { after, lasts };
    const remove = () => {
      rows = rows.filter((one) => one !== row);
      row.element.remove();
      show();
      more.focus();
    };
    row.element = h("li", { class: "admin-rule" }, after.element, lasts.element,
      h("button", { type: "button", class: "button", on: { click: remove } }, t("admin.remove")));
    rows.push(row);
    list.append(row.element);
    show();
    return row;
  }

  function show() {
    list.hidden = rows.length === 0;
    more.hidden = rows.length >= MOST;
  }
  show();
  return {
    element, name: "breakRules",
    get value() {
      const rule = ({ after, lasts }) =>
        ({ afterSeconds: seconds(after.value, 3600), breakSeconds: seconds(lasts.value, 60) });
      return rows.map(rule).sort((a, b) => a.afterSeconds - b.afterSeconds);
    },
    set value(rules) {
      for (const row of rows) row.element.remove();
      rows = [];
      for (const rule of rules) add(rule);
      show();
    },
    /** The numbers of all rules, to be looked through as fields are. */
    get parts() { return rows.flatMap(({ after, lasts }) => [after, lasts]); },
    fail(sentence) {
      failed.textContent = sentence || "";
      failed.hidden = !sentence;
    },
    focus: () => (rows[0]?.after ?? { focus: () => more.focus() }).focus(),
  };
}

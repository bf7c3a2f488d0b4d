// A choice of a project's color by name, with its dot beside it. The service takes any `#` and six hexadecimal digits.
import { offer } from "./admin_member_fields.js";
import { fieldName } from "./admin_names.js";
import { field } from "./form.js";
import { dot, h } from "./h.js";
import { t } from "./words.js";

/** The first is the service's default. */
const COLORS = {
  blue: "#007AFF", teal: "#00838F", green: "#2E7D32", yellow: "#F9A825", orange: "#E65100", red: "#C62828",
  pink: "#D81B60", purple: "#7B1FA2", brown: "#6D4C41", gray: "#607D8B",
};

/** A field whose value is the color; one that has no name here is offered as it is written. */
export function colorField() {
  const options = Object.entries(COLORS).map(([name, value]) => ({ value, label: t(`admin.color.${name}`) }));
  const made = field({ label: fieldName("color"), name: "color", type: "select", options });
  const sample = h("span", { class: "admin-sample" });
  const show = () => sample.replaceChildren(dot(made.input.value));
  made.input.addEventListener("change", show);
  made.input.before(h("div", { class: "admin-color" }, sample));
  sample.after(made.input);
  return {
    ...made,
    get value() { return made.input.value; },
    set value(color) {
      offer(made.input, color);
      made.input.value = color || COLORS.blue;
      show();
    },
  };
}

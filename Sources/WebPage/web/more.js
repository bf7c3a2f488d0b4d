// A long list, a part at a time: "Show More", and a search that looks at all of it.
import { h, text } from "./h.js";
import { key } from "./keys.js";
import { n, t } from "./words.js";

/** Shows `step` items, and `step` more at each press; `part(items)` returns those to show. `changed()` shows them. */
export function more(step, changed) {
  let limit = step;
  const button = h("button", { type: "button", class: "button", on: { click: () => { limit += step; changed(); } } });
  const element = h("p", { hidden: true }, button);
  return {
    element,
    part(items) {
      const left = items.length - limit;
      element.hidden = left <= 0;
      if (left > 0) text(button, n("manager.showMore", Math.min(left, step)));
      return items.slice(0, limit);
    },
  };
}

const fold = (string) => string.normalize("NFC").toLowerCase();

/** Whether each word of `wanted` is somewhere in a name. */
export function hasWords(name, wanted) {
  const folded = fold(name);
  return fold(wanted).split(/\s+/).every((word) => folded.includes(word));
}

/** A searchbox, seen if there are more than a few people. */
export function nameSearch(changed) {
  const input = h("input", { type: "search", id: "name-search", autocomplete: "off", on: { input: changed } });
  const element = h("div", { class: "field", role: "search", hidden: true },
    h("label", { for: "name-search", text: t("manager.searchNames") }), input);
  return {
    element,
    show(count) {
      element.hidden = count <= 20 && !input.value;
    },
    /** The key "/" goes there. */
    key: () => key("/", "manager.searchNames", () => !element.hidden && input.focus()),
    matches: (name) => hasWords(name, input.value),
  };
}

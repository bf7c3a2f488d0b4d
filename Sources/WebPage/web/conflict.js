// "Show Theirs" and "Keep Mine", if somebody changed a record while its form was open.
import { h } from "./h.js";
import { t } from "./words.js";

/** `element` is empty until `offer({theirs, mine})`. */
export function conflict() {
  const element = h("div", { class: "cluster" });
  const button = (key, act) => h("button", { type: "button", class: "button", text: t(key), on: { click: () => {
    element.replaceChildren();
    act();
  } } });
  return {
    element,
    offer({ theirs, mine }) {
      element.replaceChildren(button("common.showTheirs", theirs), button("common.keepMine", mine));
    },
  };
}

// Region "Forgotten clock-outs": members whose entry is open for longer than the policy's maximum, or who were reminded
// of it.
import { attribute, h, icon, text } from "./h.js";
import { clockOutName, moment } from "./boardrows.js";
import { keyed } from "./list.js";
import { href } from "./router.js";
import { t } from "./words.js";

/** `onClockOut(person, button)` is called by the button of a person. */
export function forgottenRegion(onClockOut) {
  const list = h("ul", { role: "list", class: "rows" });
  const element = h("section", { class: "board-forgotten card", hidden: true, "aria-labelledby": "forgotten-heading" },
    h("h2", { id: "forgotten-heading", class: "state-break" }, icon("warning"), t("manager.forgotten")), list);

  function make() {
    const name = h("a");
    const since = h("span", { class: "soft" });
    const press = () => onClockOut(row.person, button);
    const button = h("button", { type: "button", class: "button", on: { click: press } });
    const row = h("li", {}, name, since, button);
    return Object.assign(row, { parts: { name, since, button } });
  }

  function update(row, person) {
    row.person = person;
    const { name, since, button } = row.parts;
    attribute(name, "href", href(`people/${person.userId}`));
    text(name, person.name);
    text(since, t("manager.since", { time: moment(person.entry.since, person.zone) }));
    text(button, clockOutName(person));
  }

  return {
    element,
    update(people) {
      keyed(list, people, (person) => person.userId, make, update);
      element.hidden = people.length === 0;
    },
  };
}

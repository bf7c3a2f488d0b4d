// A checkbox a member, with a search if they are many: those who are picked always stand first.
import { h, text } from "./h.js";
import { hasWords, more } from "./more.js";
import { keyed } from "./list.js";
import { n, t } from "./words.js";

const MOST = 100;

/** `members`: `{userId, name}`, by name; `picked`: ids. Answers `{element, value}`, the ids that are checked. */
export function memberPicker(members, picked = []) {
  const chosen = new Set(picked);
  const first = new Set(picked);
  const count = h("p", { class: "hint", "aria-live": "polite" });
  const list = h("div", { class: "picker-list" });
  const rest = more(50, show);
  const search = h("input", { type: "search", id: "picker-search", autocomplete: "off", on: {
    input: show,
    // Enter would save the form.
    keydown: (event) => event.key === "Enter" && event.preventDefault(),
  } });
  const element = h("fieldset", { class: "field picker" }, h("legend", { text: t("manager.people") }),
    h("div", { class: "field", hidden: members.length <= 12 },
      h("label", { for: "picker-search", text: t("manager.searchNames") }), search),
    count, list, rest.element);

  function make(member) {
    const input = h("input", { type: "checkbox", on: { change: () => pick(member.userId, input) } });
    input.checked = chosen.has(member.userId);
    return h("label", { class: "check" }, input, h("span", { text: member.name }));
  }

  function pick(id, input) {
    if (!input.checked) chosen.delete(id);
    else if (chosen.size < MOST) chosen.add(id);
    else input.checked = false;
    tell();
  }

  function tell() {
    text(count, n(chosen.size < MOST ? "manager.picked" : "manager.pickedMost", chosen.size));
  }

  function show() {
    const found = members.filter(({ name }) => hasWords(name, search.value));
    const before = found.filter(({ userId }) => first.has(userId));
    const others = found.filter(({ userId }) => !first.has(userId));
    keyed(list, rest.part([...before, ...others]), (member) => member.userId, make);
    tell();
  }

  show();
  return { element, get value() { return [...chosen]; } };
}

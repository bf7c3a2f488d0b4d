// A list of tabs with arrow keys; the panel below is the screen's.
import { h } from "./h.js";

/** `tabs`: `{id, label}`; `onSelect(id)` is called when another is picked; `panel` is named by the picked tab. */
export function tabs({ label, tabs, selected, onSelect, panel }) {
  const prefix = `tab-${label.replace(/\W/g, "")}-`;
  const buttons = tabs.map((tab) => h("button", {
    type: "button", role: "tab", id: prefix + tab.id, class: "tab", on: { click: () => pick(tab.id) } }, tab.label));
  const element = h("div", { role: "tablist", class: "tabs", "aria-label": label, on: { keydown: move } }, buttons);
  let current;

  function select(id) {
    current = id;
    tabs.forEach((tab, k) => {
      buttons[k].setAttribute("aria-selected", String(tab.id === id));
      buttons[k].tabIndex = tab.id === id ? 0 : -1;
    });
    if (!panel) return;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", prefix + id);
  }
  function pick(id) {
    if (id === current) return;
    select(id);
    onSelect(id);
  }
  function move(event) {
    const at = tabs.findIndex(({ id }) => id === current);
    const last = tabs.length - 1;
    const steps = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[next].focus();
    pick(tabs[next].id);
  }
  select(selected ?? tabs[0].id);
  return { element, select };
}

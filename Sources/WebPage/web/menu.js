// A button with a menu below it: arrows, Home, End, Escape; focus goes back to the button.
import { h } from "./h.js";

/** `items()` → `{label, act, href, checked}` each time it opens. The button's own attributes are the caller's. */
export function menu({ button, label, items }) {
  const list = h("div", {
    role: "menu", class: "menu", "aria-label": label, hidden: true, on: { keydown: move, focusout: leave } });
  const element = h("div", { class: "menu-place" }, button, list);
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => (list.hidden ? open(0) : close()));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  });

  function open(at) {
    list.replaceChildren(...items().map(item));
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    [...list.children].at(at)?.focus();
  }
  function close(refocus = true) {
    if (list.hidden) return;
    list.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (refocus) button.focus();
  }
  function item({ label, act, href, checked }) {
    const press = () => {
      close(!href);
      act?.();
    };
    const kind = href ? { href } : { type: "button" };
    const role = checked === undefined ? "menuitem" : "menuitemradio";
    const props = { class: "menu-item", tabindex: -1, role, "aria-checked": checked?.toString(), ...kind };
    return h(href ? "a" : "button", { ...props, on: { click: press } }, label);
  }
  function move(event) {
    const all = [...list.children];
    const at = all.indexOf(document.activeElement);
    const last = all.length - 1;
    const steps = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all[next].focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (event.key === "Tab") close(false);
  }
  function leave(event) {
    if (!element.contains(event.relatedTarget)) close(false);
  }
  return { element, close };
}

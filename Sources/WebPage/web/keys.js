// Keys of one letter: off in Settings, in fields, in dialogs and menus, and with Ctrl, Alt or Meta.
import { preference } from "./account.js";
import { navigate } from "./router.js";
import { store } from "./store.js";

const PLACES = { c: "clock", t: "time", h: "history", b: "board", s: "timesheets", a: "admin" };
const GOING = 1500;

const bound = new Map();
let showKeys;
let wentAt = -Infinity;

/** Binds a letter while a screen is shown; returns a function that ends that. */
export function key(letter, descriptionKey, act) {
  const binding = { descriptionKey, act };
  bound.set(letter, binding);
  return () => bound.get(letter) === binding && bound.delete(letter);
}

/** The letters bound, with the keys of their descriptions. */
export const bindings = () => [...bound].map(([letter, { descriptionKey }]) => [letter, descriptionKey]);

/** The letters after "g" of the places that the person has. */
export function places() {
  return Object.entries(PLACES).filter(([, name]) => document.querySelector(`nav a[href="#/${name}"]`));
}

/** Whether a press is a key of ours: nothing is being written, chosen or confirmed. */
function isOurs({ ctrlKey, altKey, metaKey, defaultPrevented, isComposing, target }) {
  if (ctrlKey || altKey || metaKey || defaultPrevented || isComposing) return false;
  if (preference("shortcuts") === "off" || !store.get("me")) return false;
  return !target.closest?.("input, select, textarea, [role=menu]") && !document.querySelector("dialog[open]");
}

/** The action of a key now, if it has one. */
function action(letter) {
  if (performance.now() - wentAt < GOING) {
    wentAt = -Infinity;
    const [, name] = places().find(([place]) => place === letter) || [];
    return name && (() => navigate(`#/${name}`));
  }
  if (letter === "g") return () => (wentAt = performance.now());
  return letter === "?" ? showKeys : bound.get(letter)?.act;
}

/** Begins to listen; `show` shows the keys. */
export function startKeys(show) {
  showKeys = show;
  addEventListener("keydown", (event) => {
    if (!isOurs(event) || event.repeat) return;
    const act = action(event.key);
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

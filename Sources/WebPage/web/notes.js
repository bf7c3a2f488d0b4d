// The field "Notes": goes with the clock-in, and is edited in place while the entry runs.
import { api, NoConnection, org } from "./api.js";
import { plain } from "./format.js";
import { attribute, h, text } from "./h.js";
import { amend, entryOf, pending } from "./punches.js";
import { sentence } from "./refusals.js";
import { message } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** The entry ended before its notes could be saved. */
class Gone extends Error {}

const points = (string) => [...string.trim()].length;

/** `{element, update(entry, maximum), value, isTooLong, sent(), focus()}`. */
export function notesField() {
  let entry = null;
  let base = "";
  let maximum = 500;
  let refusal = null;
  const area = h("textarea", { id: "notes", rows: 2, placeholder: t("clock.notes.hint"),
    "aria-describedby": "notes-count notes-fault", on: { input: () => refuse(null) } });
  const count = h("span", { id: "notes-count", class: "soft notes-count" });
  const fault = h("p", { id: "notes-fault", class: "alert notes-fault", role: "alert", hidden: true });
  const save = h("button", { type: "button", class: "button", text: t("clock.notes.save"), on: { click: press } });
  const choice = h("div", null);
  const element = h("div", { class: "field clock-notes" }, h("label", { for: "notes", text: t("clock.notes") }), area,
    h("div", { class: "notes-row" }, count, save), fault, choice);

  const differs = () => area.value.trim() !== base.trim();
  const isTooLong = () => points(area.value) > maximum;

  function show() {
    text(count, `${points(area.value)} / ${maximum}`);
    const isSaved = !entry || !differs();
    if (isSaved && document.activeElement === save) area.focus();
    save.classList.toggle("unseen", isSaved);
    const words = isTooLong() ? t("clock.notes.tooLong", { count: maximum }) : refusal;
    fault.hidden = !words;
    text(fault, words || "");
    attribute(area, "aria-invalid", words ? "true" : null);
  }

  /** Shows why the notes were not saved, until something else is written; null takes it away. */
  function refuse(words) {
    refusal = words;
    if (!words) choice.replaceChildren();
    show();
  }

  function update(next, limit) {
    maximum = limit;
    const known = plain(next?.notes);
    // Typed text stays; another device's text shows where nothing was typed.
    if (!differs() && known !== base) put(known);
    base = known;
    entry = next;
    show();
  }

  function put(value) {
    if (area.value !== value) area.value = value;
  }

  async function press() {
    if (isTooLong() || save.getAttribute("aria-disabled") === "true") return area.focus();
    save.setAttribute("aria-disabled", "true");
    refuse(null);
    try {
      await keep(area.value.trim());
      message(t("common.saved"));
      if (document.activeElement === save) area.focus();
    } catch (error) {
      refuse(error instanceof Gone ? t("clock.notes.gone") : sentence(error));
      if (error.code === "precondition_failed" && error.problem.current) offer(error.problem.current);
    } finally {
      save.removeAttribute("aria-disabled");
    }
  }

  /** Writes the notes to the running entry, or to its clock-in if that was not sent. */
  async function keep(notes) {
    const pressed = entry.pending && entry.id.replace("pending ", "");
    const isWaiting = pending().some(({ id }) => id === pressed);
    if (isWaiting && (await amend(pressed, notes))) return;
    if (isWaiting && store.get("connection") === "offline") throw new NoConnection();
    const wanted = pressed ? await entryOf(pressed) : entry.id;
    const active = store.get("clock")?.timeEntry;
    const known = active && store.records("timeEntry").get(active.id);
    const latest = known?.version > active?.version ? known : active;
    if (!latest || latest.id !== wanted) throw new Gone();
    const path = org(`/timeEntries/${latest.id}`);
    const { data } = await api.send("PATCH", path, { notes }, { ifMatch: `"${latest.version}"` });
    taken(data);
  }

  function taken(changed) {
    store.take("timeEntry", changed);
    const clock = store.get("clock");
    base = plain(changed.notes);
    const { notes, version } = changed;
    if (clock?.timeEntry?.id !== changed.id) show();
    else store.set("clock", { ...clock, timeEntry: { ...clock.timeEntry, notes, version } });
  }

  /** Somebody changed the notes meanwhile: theirs or mine. */
  async function offer(theirs) {
    const { conflict } = await import("./conflict.js");
    const choose = (act) => () => {
      refuse(null);
      area.focus();
      taken(theirs);
      act();
    };
    const two = conflict();
    two.offer({ theirs: choose(() => {
      put(base);
      show();
    }), mine: choose(press) });
    choice.replaceChildren(two.element);
  }

  return {
    element,
    update,
    get value() {
      return area.value.trim();
    },
    get isChanged() {
      return differs();
    },
    get isTooLong() {
      return isTooLong();
    },
    /** The notes went with a clock-out: the next entry begins without. */
    sent() {
      put("");
      base = "";
      entry = null;
      show();
    },
    /** Puts back the notes of a press that does not count. */
    restore(value) {
      if (value) put(value);
      show();
    },
    focus: () => area.focus(),
  };
}

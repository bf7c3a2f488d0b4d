// A section's list: a table of records by pages, kept right by the stream's changes, with its loading and empty states.
import { h, text } from "./h.js";
import { sentence } from "./refusals.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { table } from "./table.js";
import { t } from "./words.js";

const PAGE = 100;

/**
 * `load({limit, cursor})` → a page `{records, nextCursor}`; `resource` is the kind whose changes it shows;
 * `fits(record)` says whether a record belongs to the list shown, `frozen()` whether new ones stay out; `cell(record,
 * key)` as in table.js.
 */
export function recordList({ label, columns, rowHeader, cell, load, resource, idOf = ({ id }) => id, fits = () => true,
  frozen = () => false, empty = () => t("admin.empty"), limit = PAGE, look = "" }) {
  let records = [];
  let cursor = null;
  let asked = 0;
  let next = null;
  const view = table({ label, columns, rows: records, keyOf: idOf, cell, rowHeader });
  const nothing = h("p", { class: "soft", hidden: true });
  const more = h("button", { class: "button", type: "button", hidden: true, on: { click: () => page(next) } });
  const element = h("div", { class: `stack admin-list ${look}`, "aria-busy": "true" }, view.element, nothing, more);

  function show() {
    view.update(records);
    nothing.hidden = records.length > 0 || cursor !== null;
    if (!nothing.hidden) nothing.textContent = empty();
    more.hidden = cursor === null;
    text(more, t("common.more"));
    next = cursor;
  }

  /** Reads the page after `from`, or the first one, unless another question came meanwhile. */
  async function page(from) {
    const mine = ++asked;
    const pressed = document.activeElement === more;
    element.setAttribute("aria-busy", "true");
    try {
      const answer = await load({ limit, cursor: from });
      if (mine !== asked) return;
      alertBeside(view.element, null);
      const before = from ? records : [];
      const known = new Set(before.map(idOf));
      records = [...before, ...answer.records.filter((record) => !known.has(idOf(record)))];
      cursor = answer.nextCursor;
      show();
      if (pressed && more.hidden) focusRow(before.length);
    } catch (error) {
      if (mine === asked) fail(sentence(error), from);
    }
    if (mine === asked) element.removeAttribute("aria-busy");
  }

  /** If the button that asked for more is gone, the first new row has focus. */
  function focusRow(k) {
    const row = view.element.tBodies[0].rows[k];
    if (row) row.tabIndex = -1;
    row?.focus();
  }

  /** Says that a page could not be read, and offers to try it again. */
  function fail(said, from) {
    alertBeside(view.element, said);
    more.hidden = false;
    text(more, t("common.again"));
    next = from;
  }

  /** Shows a record as it is now: in its place, at the end if it is new, nowhere if it does not fit. */
  function put(record) {
    const index = records.findIndex((known) => idOf(known) === idOf(record));
    if (index >= 0 && records[index].version > record.version) return;
    if (!fits(record)) return drop(idOf(record));
    if (index >= 0) records = records.map((known, k) => (k === index ? record : known));
    else if (cursor === null && !frozen()) records = [...records, record];
    show();
  }

  function drop(id) {
    records = records.filter((record) => idOf(record) !== id && record.id !== id);
    show();
  }

  const again = resource && store.on("resync", () => page(null));
  const off = store.on("change", (change) => {
    if (change.resource !== resource) return;
    if (change.kind === "deleted") drop(change.resourceId);
    else if (change.data) put(change.data);
    else page(null);
  });
  function stop() {
    asked++;
    again?.();
    off();
  }
  page(null);
  return { element, put, drop, reload: () => page(null), stop };
}

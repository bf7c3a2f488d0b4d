// Small parts that the sections of Admin share.
import { Refusal, uuid } from "./api.js";
import { instantOf, localDate, range, time } from "./format.js";
import { attribute, h, icon, text } from "./h.js";
import { withUnit } from "./admin_names.js";
import { sentence } from "./refusals.js";
import { now } from "./servertime.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** The zone in which the admin reads times. */
export const zone = () => store.get("membership")?.timeZone || store.get("organization")?.timeZone || "UTC";

/** "Nov 26, 2026", in that zone. */
function day(instant) {
  const local = localDate(instant, zone());
  return range(local, local);
}

/** "Nov 26, 2026, 9:00 AM" */
export const moment = (instant) => `${day(instant)}, ${time(instant, zone())}`;

/** When something ends, or that it has ended. */
export function expiry(instant) {
  const ended = Date.parse(instant) <= now();
  return ended ? h("span", { class: "soft", text: withUnit(day(instant), t("admin.expired")) }) : day(instant);
}

/** The beginning of a local date as an instant; an hour later if clocks skip midnight. */
export const beginning = (date) => instantOf(date, "00:00", zone()) ?? instantOf(date, "01:00", zone());

/** A version as `If-Match` wants it. */
export const tag = (record) => `"${record.version}"`;

/** The row of controls above a table. */
export const tools = (...controls) => h("div", { class: "cluster admin-tools" }, controls);

/** The button that adds something. */
export const addButton = (label, act) =>
  h("button", { type: "button", class: "button button-primary",
    on: { click: (event) => run(event.currentTarget, act) } }, icon("plus"), label);

/** Runs a button's action, once at a time; errors stand beside it. */
export async function run(button, act) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  alertBeside(button, null);
  try {
    await act(button);
  } catch (error) {
    alertBeside(button, sentence(error));
  }
  button.removeAttribute("aria-disabled");
}

/**
 * The buttons of each row, which are kept while its record changes, and focus with them. Of each button:
 * `label(record)` is seen, `name(record)` is heard and names the person, `when(record)` says whether it is there,
 * `act(record, button)` acts. `changed(record)` is called if somebody changed the record meanwhile.
 */
export function rowActions(idOf, buttons, changed = () => {}) {
  const rows = new Map();

  function make() {
    const row = { made: buttons.map(({ act }) => h("button", { type: "button", class: "button button-small",
      on: { click: (event) => run(event.currentTarget, (button) => attempt(() => act(row.record, button))) } })) };
    row.element = h("div", { class: "cluster admin-actions" }, row.made);
    return row;
  }
  async function attempt(act) {
    try {
      await act();
    } catch (error) {
      if (error.status === 412) changed(error.problem.current);
      throw error;
    }
  }
  return (record) => {
    const row = rows.get(idOf(record)) || make();
    rows.set(idOf(record), row);
    row.record = record;
    const focused = row.made.find((button) => button === document.activeElement);
    buttons.forEach(({ label, name, when }, k) => {
      row.made[k].hidden = Boolean(when && !when(record));
      text(row.made[k], label(record));
      attribute(row.made[k], "aria-label", name(record));
    });
    if (focused?.hidden) row.made.find((button) => !button.hidden)?.focus();
    return row.element;
  };
}

/**
 * The `Idempotency-Key`s of one act: the same while the same is sent and nobody knows whether it arrived, a new one
 * once the service has refused it. `keyed(body, send)` calls `send(key)`.
 */
export function actKeys() {
  let sent = null;
  let key = null;
  return async (body, send) => {
    const wanted = JSON.stringify(body);
    if (wanted !== sent) [sent, key] = [wanted, uuid()];
    try {
      return await send(key);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) sent = null;
      throw error;
    }
  };
}

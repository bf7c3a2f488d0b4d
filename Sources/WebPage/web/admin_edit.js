// Changing a record by a form: changed fields are sent with If-Match. If somebody else changed the record meanwhile,
// the admin takes their values, or keeps the own ones.
import { tag } from "./admin_parts.js";
import { h } from "./h.js";
import { t } from "./words.js";

const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Puts values into the fields of their names. */
export function fill(fields, values) {
  for (const field of fields) field.value = values[field.name];
}

/**
 * `read(record)` → the values of the fields by their names; `write(values)` → the body that states them all;
 * `send(body, tag)` → the answer. Without a record something is made, of the whole body.
 */
export function editing({ fields, record, read, write, send }) {
  const values = () => Object.fromEntries(fields.map((field) => [field.name, field.value]));

  /** The members of the body that differ from the record's. */
  function difference() {
    const [now, before] = [write(values()), write(read(record))];
    return Object.fromEntries(Object.entries(now).filter(([key, value]) => !same(value, before[key])));
  }
  return {
    /** Sends changed fields, if there are any; returns the record as it is then. */
    async save() {
      if (!record) return (await send(write(values()))).data;
      const body = difference();
      if (Object.keys(body).length) record = (await send(body, tag(record))).data;
      return record;
    },

    /** Continues from `current`: with its values, or with the admin's own if they changed them. */
    rebase(current, keepMine) {
      const [mine, old, theirs] = [values(), read(record), read(current)];
      for (const field of fields) {
        const touched = !same(mine[field.name], old[field.name]);
        if (!(keepMine && touched)) field.value = theirs[field.name];
      }
      record = current;
    },
  };
}

/** The two answers to "Somebody changed this meanwhile." */
export function conflictChoices(showTheirs, keepMine) {
  const button = (label, click) => h("button", { type: "button", class: "button", on: { click } }, label);
  return h("div", { class: "cluster" },
    button(t("common.showTheirs"), showTheirs), button(t("common.keepMine"), keepMine));
}

// The names of fields, columns and acts: words for the contract's names.
import { SETTINGS } from "./admin_policy_settings.js";
import { has, t } from "./words.js";

const COMMON = { name: "name", notes: "notes", date: "date", startTime: "start", endTime: "end" };

/** The text of "Edit Mia Berg", from the button's text and the person's name. */
export const actOn = (act, name) => t("admin.of", { act, name });

/** A name with an addition in brackets, such as its unit. */
export const withUnit = (name, unit) => t("admin.withUnit", { name, unit });

/** A setting of the policy, with its unit if it has one. */
export function settingName({ key, unit }) {
  const name = t(`admin.policy.${key}`);
  return unit ? withUnit(name, t(`admin.unit.${unit}`)) : name;
}

/** A field's name; one that a later service adds keeps the contract's. */
export function fieldName(key) {
  if (has(`admin.f.${key}`)) return t(`admin.f.${key}`);
  if (COMMON[key]) return t(`common.${COMMON[key]}`);
  if (SETTINGS.has(key)) return settingName(SETTINGS.get(key));
  const stem = key === "enabled" ? "active" : key.replace(/(Id|At)$/, "");
  const [part] = ["kind", "state"].filter((one) => has(`admin.${one}.${stem}`));
  return part ? t(`admin.${part}.${stem}`) : key;
}

/** Columns of a table by the fields that they show. */
export const columns = (...keys) => keys.map((key) => ({ key, label: fieldName(key) }));

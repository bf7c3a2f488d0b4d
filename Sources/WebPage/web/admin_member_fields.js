// The fields of a member, their values for a member, and the body sent.
import { fill } from "./admin_edit.js";
import { fieldName } from "./admin_names.js";
import { field } from "./form.js";
import { t } from "./words.js";

const ROLES = ["member", "manager", "admin"];
const NEEDED = new Set(["name", "email", "role"]);
const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", fr: "Français" };

const make = {
  name: () => field({ label: fieldName("name"), name: "name", required: true, max: 200, autocomplete: "off" }),
  email: () => field({ label: fieldName("email"), name: "email", type: "email", required: true, max: 254,
    autocomplete: "off" }),
  role: () => field({ label: fieldName("role"), name: "role", type: "select",
    options: ROLES.map((value) => ({ value, label: t(`admin.role.${value}`) })) }),
  personnelNumber: () => field({ label: fieldName("personnelNumber"), name: "personnelNumber", max: 64,
    autocomplete: "off" }),
  timeZone: () => zoneField(t("admin.members.zone")),
  language: () => field({ label: fieldName("language"), name: "language", type: "select",
    options: [{ value: "", label: t("admin.members.language") },
      ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))] }),
};

/** A choice of a time zone; `none`: the name of the choice of no zone. */
export function zoneField(none) {
  const zones = Intl.supportedValuesOf?.("timeZone") || [];
  const options = zones.map((value) => ({ value, label: value.replaceAll("_", " ") }));
  if (none) options.unshift({ value: "", label: none });
  return field({ label: fieldName("timeZone"), name: "timeZone", type: "select", options });
}

/** Makes sure that a select has a choice for a value that its list lacks, such as a zone under its former name. */
export function offer(select, value) {
  if (value && ![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
}

/** `{fields, read, write}` of a member, as recordDialog takes them; without a language if the service has none. */
export function member(record, names = Object.keys(make)) {
  const shown = names.filter((name) => name !== "language" || "language" in record);
  const fields = shown.map((name) => make[name]());
  const read = (from) => {
    for (const { name, input } of fields) if (name === "timeZone") offer(input, from.timeZone);
    return Object.fromEntries(shown.map((name) => [name, from[name] ?? ""]));
  };
  fill(fields, read(record));
  const filled = (name, value) => value.trim() || (NEEDED.has(name) ? "" : null);
  const write = (values) => Object.fromEntries(shown.map((name) => [name, filled(name, values[name])]));
  return { fields, read, write };
}

// The differences between two states of a resource, field by field, as a person reads it.
import { kindName } from "./admin_kinds.js";
import { moment } from "./admin_parts.js";
import { SETTINGS, shown } from "./admin_policy_settings.js";
import { date, hours, plain } from "./format.js";
import { has, t } from "./words.js";

/** Fields that say nothing about an action. */
const SILENT = new Set(["id", "organizationID", "version", "createdAt", "updatedAt", "durationSeconds", "startedBy",
  "status", "clockAheadMilliseconds", "timeEntryId", "kind"]);
const PERSONS = new Set(["userId", "ownerId"]);

/** The fields of a resource, those of its policy among them. */
function fields(resource) {
  const flat = new Map();
  for (const [key, value] of Object.entries(resource || {})) {
    if (key === "policy" && value) for (const [name, limit] of Object.entries(value)) flat.set(name, limit);
    else if (!SILENT.has(key)) flat.set(key, value);
  }
  return flat;
}

const absent = (value) => value == null || value === "" || (Array.isArray(value) && !value.length);

/** `[{key, before, after}]` of differing fields; all fields of a record that is new or gone. */
export function differences(before, after) {
  const [old, now] = [fields(before), fields(after)];
  const found = [];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(key), now.get(key)];
    if (JSON.stringify(from ?? null) === JSON.stringify(to ?? null) || (absent(from) && absent(to))) continue;
    found.push({ key, before: from, after: to });
  }
  return found;
}

function limit(setting, value) {
  if (value == null) return t("common.noLimit");
  if (setting.kind === "number") return shown(setting, value);
  if (setting.kind !== "rules") return null;
  const rules = value.map((rule) => `${hours(rule.afterSeconds)}: ${hours(rule.breakSeconds)}`);
  return rules.join(", ") || t("admin.none");
}

/** A field's value as text; `nameOf(id)` is the name of a person, project, task or break type. */
export function valueText(key, value, nameOf) {
  const setting = SETTINGS.get(key);
  const amount = setting && limit(setting, value);
  if (amount) return amount;
  if (key === "resources") return value ? value.map(kindName).join(", ") : t("admin.all");
  if (absent(value)) return "–";
  if (typeof value === "boolean") return t(value ? "common.yes" : "common.no");
  if (PERSONS.has(key) || /^(project|task|breakType)Id$/.test(key)) return nameOf(value);
  if (key === "assignees") return value.map((one) => nameOf(one.id)).join(", ");
  if (key === "notes") return plain(value);
  if (/Seconds$/.test(key)) return hours(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return moment(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
  if (["role", "scope"].includes(key) && has(`admin.${key}.${value}`)) return t(`admin.${key}.${value}`);
  return Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value);
}

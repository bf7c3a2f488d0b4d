// Admin, Policy: the organization's name and zone, and each limit with its unit, its default and its purpose.
import { api, org, Refusal } from "./api.js";
import { conflictChoices, editing, fill } from "./admin_edit.js";
import { offer, zoneField } from "./admin_member_fields.js";
import { settingName } from "./admin_names.js";
import { counted, GROUPS, SETTINGS, shown } from "./admin_policy_settings.js";
import { run } from "./admin_parts.js";
import { rulesField } from "./admin_rules.js";
import { complete, field, showError } from "./form.js";
import { h } from "./h.js";
import { alertBeside, message } from "./shell.js";
import { store } from "./store.js";
import { language, t } from "./words.js";

const ALL = [...SETTINGS.values()];

/** A weekday's name, as the language has it; the first of June 2026 is a Monday. */
const weekday = (day, k) => ({ value: day,
  label: new Intl.DateTimeFormat(language(), { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2026, 5, 1 + k)) });

/** The default in words. */
function initial(setting) {
  if (setting.initial === null) return t("common.noLimit");
  if (setting.kind === "number") return shown(setting, setting.initial);
  if (setting.kind === "checkbox") return t(setting.initial ? "common.yes" : "common.no");
  return setting.kind === "rules" ? t("admin.none") : weekday(setting.initial, 0).label;
}

/** The field of a setting. */
function settingField(setting) {
  const { key, kind } = setting;
  const label = settingName(setting);
  const hint = `${t(`admin.about.${key}`)} ${t("admin.default", { value: initial(setting) })}`;
  if (kind === "rules") return rulesField(label, hint);
  if (kind === "select") return field({ label, name: key, type: kind, hint, options: setting.values.map(weekday) });
  if (kind === "checkbox") return field({ label, name: key, type: kind, hint });
  const made = field({ label, name: key, type: kind, required: !setting.none,
    hint: setting.none ? `${hint} ${t("admin.emptyIsNone")}` : hint });
  Object.assign(made.input, { step: "any", min: shown(setting, setting.min), max: shown(setting, setting.max),
    placeholder: setting.none ? t("common.noLimit") : "" });
  return made;
}

/** The values of the fields for an organization. */
function read({ name, timeZone, policy }) {
  const limits = ALL.map((setting) =>
    [setting.key, setting.kind === "number" ? shown(setting, policy[setting.key]) : policy[setting.key]]);
  return { name, timeZone, ...Object.fromEntries(limits) };
}

/** The body that states all; each limit on its own, so that only those that differ are sent. */
function write({ name, timeZone, ...limits }) {
  const body = { name: name.trim(), timeZone };
  for (const setting of ALL) {
    body[setting.key] = setting.kind === "number" ? counted(setting, limits[setting.key]) : limits[setting.key];
  }
  return body;
}

/** Sends changed fields: the limits among them as `policy`. */
function send({ name, timeZone, ...policy }, ifMatch) {
  const limits = Object.keys(policy).length > 0 ? policy : undefined;
  return api.send("PATCH", org(""), { name, timeZone, policy: limits }, { ifMatch });
}

/** Whether each number is within its limits; if one is not, its field names them. */
function within(fields) {
  let first = null;
  const valueOf = (key) => fields.find(({ name }) => name === key).value;
  for (const setting of ALL.filter(({ kind }) => kind === "number")) {
    const made = fields.find(({ name }) => name === setting.key);
    const value = counted(setting, made.value);
    const other = SETTINGS.get(setting.above);
    const above = other && Math.min(counted(other, valueOf(other.key)), other.max);
    const small = value < setting.min || (above && value <= above);
    if (!made.input.validity.badInput && (value === null || (!small && value <= setting.max))) continue;
    const min = shown(setting, Math.max(setting.min, above || 0));
    made.fail(t("admin.between", { min, max: shown(setting, setting.max) }));
    first ||= made;
  }
  first?.focus();
  return !first;
}

export async function section(body) {
  const name = field({ label: t("common.name"), name: "name", required: true, max: 200, autocomplete: "off" });
  const zone = zoneField(null);
  const groups = GROUPS.map((group) => ({ ...group, fields: group.settings.map(settingField) }));
  const fields = [name, zone, ...groups.flatMap((group) => group.fields)];
  const rules = fields.find((one) => one.name === "breakRules");
  const group = (title, made) =>
    h("fieldset", { class: "admin-group" }, h("legend", { text: title }), made.map(({ element }) => element));
  const button = h("button", { type: "submit", class: "button button-primary" }, t("common.save"));
  const form = h("form", { novalidate: true, class: "stack admin-policy", "aria-label": t("admin.policy"),
    on: { submit: (event) => { event.preventDefault(); run(button, save); } } },
    group(t("admin.kind.organization"), [name, zone]),
    groups.map((one) => group(t(`admin.group.${one.name}`), one.fields)),
    h("div", { class: "actions" }, button));
  let edit = null;
  let choices = null;

  function start(organization) {
    offer(zone.input, organization.timeZone);
    fill(fields, read(organization));
    edit = editing({ fields, record: organization, read, write, send });
    body.append(form);
  }

  async function save() {
    choices?.remove();
    if (!complete([...fields.filter((one) => one !== rules), ...rules.parts]) || !within(fields)) return;
    try {
      const organization = await edit.save();
      store.set("organization", organization);
      message(t("common.saved"));
    } catch (error) {
      if (error instanceof Refusal && error.status === 412) differ(error.problem.current);
      showError(fields, error, (said) => alertBeside(button, said));
    }
  }

  function differ(current) {
    const go = (keepMine) => () => {
      offer(zone.input, current.timeZone);
      edit.rebase(current, keepMine);
      choices.remove();
      alertBeside(button, null);
      (keepMine ? button : name).focus();
      if (keepMine) run(button, save);
    };
    choices = conflictChoices(go(false), go(true));
    form.append(choices);
  }

  start((await api.get(org(""))).data);
  return {};
}

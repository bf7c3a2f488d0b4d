// Admin, API Tokens: with which programs and devices act for members; shown once, deleted when they are lost.
import { api, org } from "./api.js";
import { addDialog, confirmDialog } from "./admin_form.js";
import { recordList } from "./admin_list.js";
import { actOn, columns, fieldName } from "./admin_names.js";
import { addButton, beginning, expiry, moment, rowActions, tools } from "./admin_parts.js";
import { choices, nameOf, people } from "./admin_people.js";
import { field } from "./form.js";
import { addDays } from "./format.js";
import { showSecret } from "./secret.js";
import { message } from "./shell.js";
import { t } from "./words.js";

/** Name, Person, Access and Expires, as recordDialog takes them. */
function form(known, me) {
  const fields = [
    field({ label: fieldName("name"), name: "name", required: true, max: 200, hint: t("admin.tokens.name"),
      autocomplete: "off" }),
    field({ label: fieldName("userId"), name: "userId", type: "select", value: me.user.id,
      options: choices(known, (member) => member.active), hint: t("admin.tokens.person") }),
    field({ label: fieldName("scope"), name: "scope", type: "select", value: "full",
      options: ["full", "read"].map((value) => ({ value, label: t(`admin.scope.${value}`) })) }),
    field({ label: t("admin.tokens.last"), name: "expiresAt", type: "date", hint: t("admin.tokens.year") }),
  ];
  const write = ({ name, userId, scope, expiresAt }) =>
    ({ name: name.trim(), userId, scope, expiresAt: expiresAt ? beginning(addDays(expiresAt, 1)) : null });
  return { fields, write };
}

export function section(body, { me }) {
  let known = new Map();
  const add = async (opener) => addDialog({
    ...form((known = await people()), me), place: "/apiTokens", title: t("admin.tokens.add"), opener,
    saved({ token, ...record }) {
      list.put(record);
      setTimeout(() => showSecret({ title: record.name, hint: t("admin.once"), label: t("admin.kind.apiToken"),
        value: token, copyLabel: t("admin.copy"), opener }));
    },
  });

  function ask(record, opener) {
    confirmDialog({
      title: actOn(t("common.delete"), record.name), text: t("admin.tokens.delete"), label: t("common.delete"),
      record, opener,
      async act() {
        await api.send("DELETE", org(`/apiTokens/${record.id}`));
        list.drop(record.id);
        message(t("common.deleted"));
      },
    });
  }
  const buttons = rowActions(({ id }) => id, [
    { label: () => t("common.delete"), name: ({ name }) => actOn(t("common.delete"), name), act: ask },
  ]);

  function cell(record, key) {
    if (key === "actions") return buttons(record);
    if (key === "userId") return nameOf(known, record.userId);
    if (key === "scope") return t(`admin.scope.${record.scope}`);
    if (key === "lastUsedAt") return record.lastUsedAt ? moment(record.lastUsedAt) : t("admin.never");
    if (key === "name") return record.name;
    return expiry(record.expiresAt);
  }
  const list = recordList({
    label: t("admin.tokens"), rowHeader: "name", resource: "apiToken", cell,
    columns: columns("name", "userId", "scope", "lastUsedAt", "expiresAt", "actions"),
    async load(query) {
      const [{ data }, members] = await Promise.all([api.get(org("/apiTokens"), query), people()]);
      known = members;
      return { records: data.apiTokens, nextCursor: data.nextCursor };
    },
  });
  body.append(tools(addButton(t("admin.tokens.add"), add)), list.element);
  return { stop: list.stop };
}

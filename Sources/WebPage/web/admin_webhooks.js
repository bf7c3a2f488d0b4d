// Admin, Webhooks: the addresses of programs to which changes are sent; tried, looked into, stopped, deleted.
import { api, org } from "./api.js";
import { deliveryText, showDeliveries } from "./admin_deliveries.js";
import { fill } from "./admin_edit.js";
import { addDialog, confirmDialog, editDialog } from "./admin_form.js";
import { kindName } from "./admin_kinds.js";
import { recordList } from "./admin_list.js";
import { actOn, columns, fieldName } from "./admin_names.js";
import { addButton, rowActions, tag, tools } from "./admin_parts.js";
import { kindsField } from "./admin_webhook_kinds.js";
import { field } from "./form.js";
import { h } from "./h.js";
import { showSecret } from "./secret.js";
import { message } from "./shell.js";
import { t } from "./words.js";

const path = ({ id }) => org(`/webhooks/${id}`);
const named = (key) => ({ url }) => actOn(t(key), url);

/** Address and kinds, as recordDialog takes them. */
function form(record = {}) {
  const fields = [
    field({ label: fieldName("url"), name: "url", required: true, max: 2048, hint: t("admin.webhooks.url"),
      autocomplete: "off" }),
    kindsField(),
  ];
  Object.assign(fields[0].input, { inputMode: "url", spellcheck: false, autocapitalize: "none" });
  const read = ({ url = "", resources = null }) => ({ url, resources });
  const write = ({ url, resources }) => ({ url: url.trim(), resources });
  fill(fields, read(record));
  return { fields, read, write };
}

export function section(body) {
  const add = (opener) => addDialog({
    ...form(), place: "/webhooks", title: t("admin.webhooks.add"), opener,
    saved({ secret, ...record }) {
      list.put(record);
      setTimeout(() => showSecret({ title: record.url, hint: t("admin.once"), opener,
        label: t("admin.webhooks.secret"), value: secret, copyLabel: t("admin.copy") }));
    },
  });
  const edit = (record, opener) =>
    editDialog({ ...form(record), path: path(record), put: list.put, record, name: record.url, opener });

  async function toggle(record) {
    const { data } = await api.send("PATCH", path(record), { enabled: !record.enabled }, { ifMatch: tag(record) });
    list.put(data);
    message(t("common.saved"));
  }

  /** Sends a message now, and shows its outcome. */
  async function ping(record) {
    message(t("admin.webhooks.sending"));
    const { data } = await api.send("POST", `${path(record)}/ping`);
    message(deliveryText(data));
  }

  function ask(record, opener) {
    confirmDialog({
      title: actOn(t("common.delete"), record.url), text: t("admin.webhooks.delete"), label: t("common.delete"),
      record, changed: list.put, opener,
      async act(ifMatch) {
        await api.send("DELETE", path(record), undefined, { ifMatch });
        list.drop(record.id);
        message(t("common.deleted"));
      },
    });
  }

  const buttons = rowActions(({ id }) => id, [
    { label: () => t("common.edit"), name: named("common.edit"), act: edit },
    { label: () => t("admin.ping"), name: named("admin.ping"), act: ping },
    { label: () => t("admin.deliveries"), name: named("admin.deliveries"), act: showDeliveries },
    {
      label: ({ enabled }) => t(enabled ? "admin.stop" : "admin.resume"),
      name: ({ enabled, url }) => actOn(t(enabled ? "admin.stop" : "admin.resume"), url), act: toggle,
    },
    { label: () => t("common.delete"), name: named("common.delete"), act: ask },
  ], (record) => list.put(record));

  function cell(record, key) {
    if (key === "actions") return buttons(record);
    if (key === "url") return h("span", { class: "admin-address", text: record.url });
    if (key === "resources") return record.resources ? record.resources.map(kindName).join(", ") : t("admin.all");
    return t(record.enabled ? "admin.state.active" : "admin.state.stopped");
  }
  const list = recordList({
    label: t("admin.webhooks"), rowHeader: "url", resource: "webhook", cell,
    columns: columns("url", "resources", "state", "actions"),
    async load(query) {
      const { data } = await api.get(org("/webhooks"), query);
      return { records: data.webhooks, nextCursor: data.nextCursor };
    },
  });
  body.append(tools(addButton(t("admin.webhooks.add"), add)), list.element);
  return { stop: list.stop };
}

// Admin, Projects: the members' purposes; added, changed, taken out of use, deleted.
import { api, org } from "./api.js";
import { archiveButton, useOf } from "./admin_archive.js";
import { colorField } from "./admin_colors.js";
import { fill } from "./admin_edit.js";
import { addDialog, confirmDialog, editDialog } from "./admin_form.js";
import { recordList } from "./admin_list.js";
import { actOn, columns, fieldName } from "./admin_names.js";
import { addButton, rowActions, tools } from "./admin_parts.js";
import { nameOf, people } from "./admin_people.js";
import { field } from "./form.js";
import { dot, h } from "./h.js";
import { message } from "./shell.js";
import { t } from "./words.js";

const path = ({ id }) => org(`/projects/${id}`);

/** Name, Client, Color and Billable, as recordDialog takes them. */
function form(record = {}) {
  const fields = [
    field({ label: fieldName("name"), name: "name", required: true, max: 200, autocomplete: "off" }),
    field({ label: fieldName("client"), name: "client", max: 200, autocomplete: "off" }),
    colorField(),
    field({ label: fieldName("billable"), name: "billable", type: "checkbox" }),
  ];
  const read = ({ name = "", client, color = "#007AFF", billable = false }) =>
    ({ name, client: client ?? "", color, billable });
  const write = ({ name, client, ...rest }) => ({ name: name.trim(), client: client.trim() || null, ...rest });
  fill(fields, read(record));
  return { fields, read, write };
}

/** The choice for the time on a deleted project, and the reason, if others' time goes too. */
function ask(record, drop, put, opener) {
  const options = ["detach", "delete"].map((value) => ({ value, label: t(`admin.projects.${value}`) }));
  confirmDialog({
    title: actOn(t("common.delete"), record.name), text: t("admin.projects.text"), label: t("common.delete"),
    fields: [
      field({ label: t("admin.projects.time"), name: "segments", type: "radio", options, value: "detach" }),
      field({ label: t("common.reason"), name: "reason", type: "textarea", max: 500, hint: t("admin.projects.hint") }),
    ],
    record, changed: put, opener,
    async act(ifMatch, { segments, reason }) {
      await api.send("DELETE", path(record), undefined, { ifMatch, query: { segments, reason: reason.trim() } });
      drop(record.id);
      message(t("common.deleted"));
    },
  });
}

export function section(body) {
  let known = new Map();
  const add = (opener) =>
    addDialog({ ...form(), place: "/projects", title: t("admin.projects.add"), put: list.put, opener });
  const edit = (record, opener) => editDialog({ ...form(record), path: path(record), put: list.put, record, opener });
  const buttons = rowActions(({ id }) => id, [
    { label: () => t("common.edit"), name: ({ name }) => actOn(t("common.edit"), name), act: edit },
    archiveButton(path, (record) => list.put(record)),
    { label: () => t("common.delete"), name: ({ name }) => actOn(t("common.delete"), name),
      act: (record, button) => ask(record, list.drop, list.put, button) },
  ], (record) => list.put(record));

  function cell(record, key) {
    if (key === "actions") return buttons(record);
    if (key === "name") return h("span", { class: "admin-name" }, dot(record.color), " ", record.name);
    if (key === "client") return record.client ?? "–";
    if (key === "ownerId") return record.ownerId ? nameOf(known, record.ownerId) : t("admin.kind.organization");
    return key === "billable" ? t(record.billable ? "common.yes" : "common.no") : useOf(record);
  }
  const list = recordList({
    label: t("admin.projects"), rowHeader: "name", resource: "project", cell,
    columns: columns("name", "client", "ownerId", "billable", "state", "actions"),
    empty: () => t("admin.projects.empty"),
    async load(query) {
      const { data } = await api.get(org("/projects"), query);
      if (data.projects.some(({ ownerId }) => ownerId)) known = await people();
      return { records: data.projects, nextCursor: data.nextCursor };
    },
  });
  body.append(tools(addButton(t("admin.projects.add"), add)), list.element);
  return { stop: list.stop };
}

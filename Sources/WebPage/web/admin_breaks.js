// Admin, Break Types: which kinds of breaks there are, and which of them are paid.
import { api, org } from "./api.js";
import { archiveButton, useOf } from "./admin_archive.js";
import { fill } from "./admin_edit.js";
import { addDialog, editDialog } from "./admin_form.js";
import { recordList } from "./admin_list.js";
import { actOn, columns, fieldName, withUnit } from "./admin_names.js";
import { addButton, rowActions, tools } from "./admin_parts.js";
import { field } from "./form.js";
import { hours } from "./format.js";
import { t } from "./words.js";

const path = ({ id }) => org(`/breakTypes/${id}`);

/** Name, Paid and Expected length, as recordDialog takes them. */
function form(record = {}) {
  const fields = [
    field({ label: fieldName("name"), name: "name", required: true, max: 200, autocomplete: "off" }),
    field({ label: fieldName("isPaid"), name: "isPaid", type: "checkbox" }),
    field({ label: withUnit(fieldName("expectedSeconds"), t("admin.unit.minutes")), name: "expectedSeconds",
      type: "number", hint: t("admin.breaks.hint") }),
  ];
  Object.assign(fields[2].input, { min: 1, max: 1440, step: "any" });
  const read = ({ name = "", isPaid = false, expectedSeconds: seconds }) =>
    ({ name, isPaid, expectedSeconds: seconds ? String(seconds / 60) : "" });
  const write = ({ name, isPaid, expectedSeconds: minutes }) =>
    ({ name: name.trim(), isPaid, expectedSeconds: minutes ? Math.round(Number(minutes) * 60) : null });
  fill(fields, read(record));
  return { fields, read, write };
}

export function section(body) {
  const add = (opener) =>
    addDialog({ ...form(), place: "/breakTypes", title: t("admin.breaks.add"), put: list.put, opener });
  const edit = (record, opener) => editDialog({ ...form(record), path: path(record), put: list.put, record, opener });
  const buttons = rowActions(({ id }) => id, [
    { label: () => t("common.edit"), name: ({ name }) => actOn(t("common.edit"), name), act: edit },
    archiveButton(path, (record) => list.put(record)),
  ], (record) => list.put(record));

  function cell(record, key) {
    if (key === "actions") return buttons(record);
    if (key === "isPaid") return fieldName(record.isPaid ? "isPaid" : "unpaid");
    if (key === "expectedSeconds") return record.expectedSeconds ? hours(record.expectedSeconds) : "–";
    return key === "state" ? useOf(record) : record.name;
  }
  const list = recordList({
    label: t("admin.breaks"), rowHeader: "name", resource: "breakType", cell,
    columns: columns("name", "isPaid", "expectedSeconds", "state", "actions"),
    async load(query) {
      const { data } = await api.get(org("/breakTypes"), query);
      return { records: data.breakTypes, nextCursor: data.nextCursor };
    },
  });
  body.append(tools(addButton(t("admin.breaks.add"), add)), list.element);
  return { stop: list.stop };
}

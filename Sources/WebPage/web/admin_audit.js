// Admin, Audit Log: actor, act and time, before and after side by side, newest first.
import { api, org } from "./api.js";
import { differences, valueText } from "./admin_differences.js";
import { filters } from "./admin_audit_filters.js";
import { kindName, operationName } from "./admin_kinds.js";
import { recordList } from "./admin_list.js";
import { actOn, columns, fieldName, withUnit } from "./admin_names.js";
import { people } from "./admin_people.js";
import { moment } from "./admin_parts.js";
import { h } from "./h.js";
import { t } from "./words.js";

/** The actor: a person, and the means if that was no log-in; else the operator or the service. */
function author({ author: { userId, means } }, nameOf) {
  if (!userId) return t(means === "operator" ? "admin.audit.operator" : "admin.audit.service");
  return means === "api-token" ? withUnit(nameOf(userId), t("admin.kind.apiToken")) : nameOf(userId);
}

/** The record that was changed: its kind, and its name. */
function subject({ resource, resourceId, before, after }, nameOf) {
  const it = after || before || {};
  const name = it.name || it.title || it.url || nameOf(resource === "member" ? resourceId : it.userId);
  return name ? actOn(kindName(resource), name) : kindName(resource);
}

function what(change, nameOf) {
  return h("div", {},
    h("div", { text: operationName(change.operation) }),
    h("div", { class: "soft", text: subject(change, nameOf) }),
    change.reason && h("div", { text: `${t("common.reason")}: ${change.reason}` }));
}

/** One side: each field that differs, with its value there. */
function side(change, name, nameOf) {
  if (change.erased) return h("span", { class: "soft", text: t("admin.audit.erased") });
  if (!change[name]) return h("span", { class: "soft", text: "–" });
  const shown = ({ key, [name]: value }) =>
    h("div", {}, h("dt", { text: fieldName(key) }), h("dd", { text: valueText(key, value, nameOf) }));
  return h("dl", { class: "admin-fields" }, differences(change.before, change.after).map(shown));
}

/** Names by id of the records in the log. */
async function names() {
  const [members, ...lists] = await Promise.all([people(),
    ...["projects", "tasks", "breakTypes"].map((list) => api.all(org(`/${list}`), { limit: 1000 }, list))]);
  const known = new Map(lists.flat().map((one) => [one.id, one.name]));
  for (const member of members.values()) known.set(member.userId, member.name);
  return known;
}

export function section(body) {
  let known = new Map();
  const ready = names().then((found) => (known = found));
  const nameOf = (id) => known.get(id) ?? id;

  /** A page of the log; pages that hold nothing because of the filters are turned over, twenty at most. */
  async function load({ limit, cursor }) {
    await ready.catch(() => {});
    for (let turned = 0; ; turned++) {
      const { data } = await api.get(org("/auditLog"), { ...chosen.query(), limit, cursor });
      const { changes: records, nextCursor } = data;
      if (records.length || !nextCursor || turned === 20) return { records, nextCursor };
      cursor = nextCursor;
    }
  }

  function cell(change, key) {
    if (key === "when") return h("time", { datetime: change.time, text: moment(change.time) });
    if (key === "who") return author(change, nameOf);
    return key === "what" ? what(change, nameOf) : side(change, key, nameOf);
  }

  const chosen = filters(() => list.reload());
  const list = recordList({
    label: t("admin.audit"), rowHeader: "when", cell, load, limit: 50,
    columns: columns("when", "who", "what", "before", "after"),
    idOf: (change) => change.sequence, look: "admin-audit", empty: () => t("common.nothing"),
  });
  body.append(chosen.element, list.element);
  return { stop: list.stop };
}

// The filters of the audit log: Operation, Person, Resource, From, To.
import { KINDS, OPERATIONS, kindName, operationName } from "./admin_kinds.js";
import { fieldName } from "./admin_names.js";
import { choices, people } from "./admin_people.js";
import { beginning } from "./admin_parts.js";
import { field } from "./form.js";
import { addDays } from "./format.js";
import { h } from "./h.js";
import { t } from "./words.js";

/** Choices by their names. */
const named = (values, nameOf) =>
  values.map((value) => ({ value, label: nameOf(value) })).sort((a, b) => a.label.localeCompare(b.label));

/** `changed()` is called upon each choice; `query()` is the query of listAuditLog. */
export function filters(changed) {
  const any = { value: "", label: t("admin.all") };
  const select = (name, options) =>
    field({ label: fieldName(name), name, type: "select", value: "", options: [any, ...options] });
  const operation = select("operation", named(OPERATIONS, operationName));
  const person = select("userId", []);
  const resource = select("resource", named(KINDS, kindName));
  const from = field({ label: fieldName("from"), name: "from", type: "date", value: "" });
  const to = field({ label: fieldName("to"), name: "to", type: "date", value: "" });
  const all = [operation, person, resource, from, to];
  for (const one of all) one.input.addEventListener("change", changed);
  people().then((known) => {
    person.input.append(...choices(known).map(({ value, label }) => h("option", { value, text: label })));
  }, () => {});
  return {
    element: h("div", { class: "admin-filters", role: "group", "aria-label": t("admin.audit.filters") },
      all.map((one) => one.element)),
    query: () => ({
      operation: operation.value,
      userId: person.value,
      resource: resource.value,
      startTime: from.value && beginning(from.value),
      endTime: to.value && beginning(addDays(to.value, 1)),
    }),
  };
}

// Admin, Members: all of them; added, found, changed, deactivated, brought back, forgotten.
import { api, org } from "./api.js";
import { askAnonymize, askDeactivate } from "./admin_leaving.js";
import { addDialog, editDialog } from "./admin_form.js";
import { createInvitation, invite, showInvitation } from "./admin_invite.js";
import { recordList } from "./admin_list.js";
import { member as memberFields } from "./admin_member_fields.js";
import { actOn, columns, fieldName } from "./admin_names.js";
import { addButton, rowActions, tag, tools } from "./admin_parts.js";
import { field } from "./form.js";
import { h } from "./h.js";
import { sentence } from "./refusals.js";
import { alertBeside, message } from "./shell.js";
import { t } from "./words.js";

const idOf = (member) => member.userId;
const path = (member) => org(`/members/${member.userId}`);
const SHOWN = { active: true, deactivated: false };
const named = (key) => (member) => actOn(t(key), member.name);

const toggle = (member) => t(member.active ? "admin.deactivate" : "admin.reactivate");

/** The state of a member in a word. */
function state(member) {
  if (member.anonymizedAt) return t("admin.state.anonymized");
  return t(member.active ? "admin.state.active" : "admin.state.deactivated");
}

function cell(member, key) {
  if (key === "name") {
    const number = member.personnelNumber && h("span", { class: "soft", text: ` ${member.personnelNumber}` });
    return h("span", { class: "admin-name" }, member.name, number);
  }
  if (key === "role") return t(`admin.role.${member.role}`);
  return key === "state" ? state(member) : member.email;
}

/** The search box and the choice between those who are active, those who are not, and all. */
function finder(find) {
  let wait;
  const search = h("input", { type: "search", id: "admin-search", autocomplete: "off", maxlength: 200,
    on: { input: () => { clearTimeout(wait); wait = setTimeout(find, 200); } } });
  const options = ["active", "deactivated", "all"].map((value) =>
    ({ value, label: t(value === "all" ? "admin.all" : `admin.state.${value}`) }));
  const shown = field({ label: fieldName("show"), name: "show", type: "select", options, value: "active" });
  shown.input.addEventListener("change", find);
  const element = tools(
    h("div", { class: "field", role: "search" },
      h("label", { for: "admin-search", text: t("admin.members.search") }), search),
    shown.element);
  return {
    element,
    query: () => ({ search: search.value.trim(), active: SHOWN[shown.value] }),
    fits: (member) => shown.value === "all" || member.active === SHOWN[shown.value],
    searching: () => search.value.trim() !== "",
    stop: () => clearTimeout(wait),
  };
}

export function section(body) {
  const find = finder(() => list.reload());
  async function reactivate(member) {
    const { data } = await api.send("PATCH", path(member), { active: true }, { ifMatch: tag(member) });
    list.put(data);
    message(t("common.saved"));
  }

  function add(opener) {
    const made = (then) => (member) => {
      list.put(member);
      return then(member);
    };
    const form = memberFields({ role: "member" }, ["name", "email", "role"]);
    addDialog({
      ...form, place: "/members", title: t("admin.members.add"), opener,
      saved: made(() => message(t("common.saved"))),
      also: { label: t("admin.members.both"), saved: made((member) => linkAfter(member, opener)) },
    });
  }

  /** The link comes when the dialog is closed; if it cannot be made, the member is there all the same. */
  async function linkAfter(member, opener) {
    try {
      const invitation = await createInvitation(member);
      setTimeout(() => showInvitation(member, invitation, opener));
    } catch (error) {
      alertBeside(opener, t("admin.members.notInvited", { name: member.name, why: sentence(error) }));
    }
  }

  const edit = (member, opener) =>
    editDialog({ ...memberFields(member), path: path(member), put: list.put, record: member, opener });

  const buttons = rowActions(idOf, [
    { label: () => t("common.edit"), name: named("common.edit"), when: (member) => !member.anonymizedAt, act: edit },
    { label: () => t("admin.invite"), name: named("admin.invite"), when: (member) => member.active, act: invite },
    {
      label: toggle, name: (member) => actOn(toggle(member), member.name),
      when: (member) => !member.anonymizedAt,
      act: (member, button) => (member.active ? askDeactivate(member, list.put, button) : reactivate(member)),
    },
    {
      label: () => t("admin.anonymize"), name: named("admin.anonymize"),
      when: (member) => !member.active && !member.anonymizedAt,
      act: (member, button) => askAnonymize(member, list.put, button),
    },
  ], (record) => list.put(record));

  const list = recordList({
    label: t("admin.members"), rowHeader: "name", idOf, resource: "member", fits: find.fits, frozen: find.searching,
    columns: columns("name", "email", "role", "state", "actions"),
    cell: (member, key) => (key === "actions" ? buttons(member) : cell(member, key)),
    empty: () => t("common.nothing"),
    async load(query) {
      const { data } = await api.get(org("/members"), { ...query, ...find.query() });
      return { records: data.members, nextCursor: data.nextCursor };
    },
  });
  body.append(tools(addButton(t("admin.members.add"), add)), find.element, list.element);
  return { stop: () => { find.stop(); list.stop(); } };
}

// Admin, Invitations: those that nobody has used; a new link, or none any more.
import { api, org } from "./api.js";
import { confirmDialog } from "./admin_form.js";
import { invite } from "./admin_invite.js";
import { recordList } from "./admin_list.js";
import { actOn, columns } from "./admin_names.js";
import { expiry, rowActions } from "./admin_parts.js";
import { nameOf, people } from "./admin_people.js";
import { message } from "./shell.js";
import { t } from "./words.js";

/** A member has one invitation at a time, so that a new one takes the former one's row. */
const idOf = (invitation) => invitation.userId;

export function section(body) {
  let known = new Map();
  const name = (invitation) => nameOf(known, invitation.userId);

  /** "Delete Invitation Mia Berg": another one deletes nothing of the member. */
  const called = (one) => actOn(t("common.delete"), actOn(t("admin.kind.invitation"), name(one)));

  function ask(invitation, opener) {
    confirmDialog({
      title: called(invitation), text: t("admin.invite.delete"),
      label: t("common.delete"), record: invitation, opener,
      async act() {
        await api.send("DELETE", org(`/invitations/${invitation.id}`));
        list.drop(invitation.id);
        message(t("common.deleted"));
      },
    });
  }

  const buttons = rowActions(idOf, [
    {
      label: () => t("admin.invite"), name: (one) => actOn(t("admin.invite"), name(one)),
      async act(one, button) {
        await invite({ userId: one.userId, name: name(one) }, button);
        list.reload();
      },
    },
    { label: () => t("common.delete"), name: called, act: ask },
  ]);

  function cell(invitation, key) {
    if (key === "actions") return buttons(invitation);
    if (key === "name") return name(invitation);
    if (key === "email") return known.get(invitation.userId)?.email ?? "";
    return expiry(invitation.expiresAt);
  }

  const list = recordList({
    label: t("admin.invitations"), rowHeader: "name", resource: "invitation", idOf, cell,
    columns: columns("name", "email", "expiresAt", "actions"),
    async load(query) {
      const [{ data }, members] = await Promise.all([api.get(org("/invitations"), query), people()]);
      known = members;
      return { records: data.invitations, nextCursor: data.nextCursor };
    },
  });
  body.append(list.element);
  return { stop: list.stop };
}

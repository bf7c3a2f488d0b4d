// Invites a member: makes an invitation and shows its link, which no other answer has.
import { api, org } from "./api.js";
import { actOn } from "./admin_names.js";
import { actKeys } from "./admin_parts.js";
import { showSecret } from "./secret.js";
import { t } from "./words.js";

const acts = new Map();

/** Makes an invitation; asking again after a lost answer gets the same one. */
export async function createInvitation(member) {
  const body = { userId: member.userId };
  if (!acts.has(member.userId)) acts.set(member.userId, actKeys());
  const { data } = await acts.get(member.userId)(body, (key) => api.send("POST", org("/invitations"), body, { key }));
  acts.delete(member.userId);
  return data;
}

/** The link that the person opens; the part behind the `#` is in no server's log. */
export function showInvitation(member, invitation, opener) {
  return showSecret({
    title: actOn(t("admin.invite"), member.name),
    hint: t("admin.invite.hint"),
    label: t("admin.invite.link"),
    value: `${location.origin}/#/invite/${invitation.token}`,
    copyLabel: t("admin.invite.copy"),
    opener,
  });
}

export async function invite(member, opener) {
  showInvitation(member, await createInvitation(member), opener);
}

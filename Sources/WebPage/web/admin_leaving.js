// Asks before a member is deactivated, and before a deactivated one is forgotten.
import { api, org } from "./api.js";
import { confirmDialog } from "./admin_form.js";
import { actOn } from "./admin_names.js";
import { actKeys } from "./admin_parts.js";
import { field } from "./form.js";
import { message } from "./shell.js";
import { t } from "./words.js";

/** `put(member)` shows the member as it is then. */
export function askDeactivate(member, put, opener) {
  const path = org(`/members/${member.userId}`);
  confirmDialog({
    title: actOn(t("admin.deactivate"), member.name), text: t("admin.deactivate.text"), label: t("admin.deactivate"),
    record: member, changed: put, opener,
    async act(ifMatch) {
      put((await api.send("PATCH", path, { active: false }, { ifMatch })).data);
      message(t("common.saved"));
    },
  });
}

export function askAnonymize(member, put, opener) {
  const keyed = actKeys();
  const path = org(`/members/${member.userId}/anonymize`);
  confirmDialog({
    title: actOn(t("admin.anonymize"), member.name), text: t("admin.anonymize.text"), label: t("admin.anonymize"),
    fields: [field({ label: t("common.reason"), name: "reason", type: "textarea", max: 500,
      hint: t("admin.anonymize.hint") })],
    record: member, opener,
    async act(_, { reason }) {
      const body = { reason: reason.trim() || null };
      put((await keyed(body, (key) => api.send("POST", path, body, { key }))).data);
      message(t("common.saved"));
    },
  });
}

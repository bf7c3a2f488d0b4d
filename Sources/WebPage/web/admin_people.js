// The organization's people by their ids: names in lists that have ids alone, and choices of a person.
import { api, org } from "./api.js";
import { withUnit } from "./admin_names.js";
import { store } from "./store.js";
import { t } from "./words.js";

let of = null;
let asking = null;

store.on("change", (change) => {
  if (change.resource !== "member" || !change.data) return;
  asking?.then((known) => known.set(change.resourceId, change.data), () => {});
});
for (const topic of ["signedOut", "resync"]) store.on(topic, () => (asking = null));

/** The members by their userId, asked for once. */
export function people() {
  const organization = store.get("membership").organizationID;
  if (asking && of === organization) return asking;
  of = organization;
  asking = api.all(org("/members"), { limit: 1000 }, "members")
    .then((members) => new Map(members.map((member) => [member.userId, member])));
  asking.catch(() => (asking = null));
  return asking;
}

/** A person's name; the id if the person is unknown. */
export const nameOf = (known, userId) => known.get(userId)?.name ?? userId;

/** The people as choices by their names, with the address if two have the same name. */
export function choices(known, fits = () => true) {
  const members = [...known.values()].filter(fits).sort((a, b) => a.name.localeCompare(b.name));
  const count = new Map();
  for (const { name } of members) count.set(name, (count.get(name) || 0) + 1);
  const label = (member) => {
    const name = count.get(member.name) > 1 ? `${member.name} (${member.email})` : member.name;
    return member.active ? name : withUnit(name, t("admin.state.deactivated"));
  };
  return members.map((member) => ({ value: member.userId, label: label(member) }));
}

// The first steps of a new organization: add people, add a break type, clock in. Gone once all is done, or after 30 days.
import { api, org } from "./api.js";
import { h, icon } from "./h.js";
import { href } from "./router.js";
import { now } from "./servertime.js";
import { store } from "./store.js";
import { t } from "./words.js";

const DAY = 86_400_000;
const STEPS = { people: "admin/members", break: "admin/breaks", clock: "clock" };

/** `people` as the Board has them; `role`: only admins add people and break types. */
export function firstSteps(people, role) {
  const done = { people: false, break: null, clock: null };
  const young = now() - Date.parse(store.get("organization").createdAt) < 30 * DAY;
  const marks = {};
  const step = ([name, address]) => {
    const word = t(`manager.step.${name}`);
    marks[name] = h("span", { class: "soft" });
    const linked = role === "admin" || name === "clock";
    return h("li", {}, linked ? h("a", { href: href(address), text: word }) : word, " ", marks[name]);
  };
  const element = h("section", { class: "card stack", hidden: true, "aria-labelledby": "steps-heading" },
    h("h2", { id: "steps-heading", text: t("manager.steps") }),
    h("ol", { class: "board-steps" }, Object.entries(STEPS).map(step)));
  const off = store.on("change", ({ resource, data }) => {
    if (resource === "breakType" && data && done.break === false) done.break = true;
    update();
  });

  /** Facts that the Board's people do not show are asked for once, while the organization is young. */
  async function load() {
    if (!young) return;
    const [breaks, entries] = await Promise.all([
      api.get(org("/breakTypes"), { archived: false, limit: 1 }), api.get(org("/timeEntries"), { limit: 1 })]);
    done.break = breaks.data.breakTypes.length > 0;
    done.clock = entries.data.timeEntries.length > 0;
    update();
  }

  function update() {
    if (done.break === null) return;
    done.people = [...people.people.values()].filter((person) => person.active).length > 1;
    done.clock ||= people.in().length > 0;
    for (const [name, mark] of Object.entries(marks)) {
      if (done[name] && !mark.firstChild) mark.append(icon("check"), t("manager.step.done"));
    }
    element.hidden = Object.values(done).every(Boolean);
  }

  return { element, load, update, stop: off };
}

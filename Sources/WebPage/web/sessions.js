// The radio group "Session": the sessions planned for today, picked before the clock-in.
import { time } from "./format.js";
import { h, text } from "./h.js";
import { keyed } from "./list.js";
import { t } from "./words.js";

/** `{element, update(sessions, zone), value, pick(id)}`; "No session" is picked at first. */
export function sessionPicker() {
  let picked = "";
  const label = h("h2", { id: "session-label", class: "label", text: t("clock.session") });
  const group = h("div", { role: "radiogroup", "aria-labelledby": "session-label", class: "stack" });
  const nothing = h("p", { class: "soft" }, t("clock.session.none"), h("br"), t("clock.session.optional"));
  const element = h("section", { class: "clock-session stack" }, label, group, nothing);

  function make({ id }) {
    const input = h("input", { type: "radio", name: "session", value: id, on: { change: () => (picked = id) } });
    const words = document.createTextNode("");
    const item = h("label", { class: "choice" }, input, h("span", null, words));
    item.words = words;
    item.input = input;
    return item;
  }

  return {
    element,
    get value() {
      return picked || null;
    },
    /** Picks a session, or none. */
    pick(id = "") {
      picked = id;
      for (const item of group.children) item.input.checked = item.input.value === picked;
    },
    update(sessions, zone) {
      if (!sessions.some(({ id }) => id === picked)) picked = "";
      keyed(group, [{ id: "" }, ...sessions], ({ id }) => id, make, (item, session) => {
        text(item.words, session.id ? name(session, zone) : t("clock.session.no"));
        item.input.checked = session.id === picked;
      });
      group.hidden = sessions.length === 0;
      nothing.hidden = sessions.length > 0;
    },
  };
}

/** "Morning shift, 7:00 AM – 12:00 PM, Hall 3" */
function name({ title, startTime, endTime, location }, zone) {
  const [start, end] = [startTime, endTime].map((instant) => instant && time(instant, zone));
  const [from, until] = [t("clock.session.from", { time: start }), t("clock.session.until", { time: end })];
  const span = start && end ? `${start} – ${end}` : (start && from) || (end && until);
  return [title, span, location].filter(Boolean).join(", ");
}

// The person's log-ins: each with its last use, and a button that ends it.
import { api } from "./api.js";
import { date, localDate, time } from "./format.js";
import { h, text } from "./h.js";
import { keyed } from "./list.js";
import { zoneOfPerson } from "./period.js";
import { sentence } from "./refusals.js";
import { alertBeside, message } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** `element`, `load()`, `stop()`. */
export function logIns() {
  const title = h("h2", { id: "log-ins", tabindex: -1, text: t("time.logIns") });
  const list = h("ul", { class: "log-ins", "aria-labelledby": "log-ins" });
  const others = h("button", { type: "button", class: "button", on: { click: endOthers } }, t("time.signOutOthers"));
  const row = h("div", { hidden: true }, others);
  const element = h("section", { class: "stack" }, title, list, row);

  async function load() {
    list.setAttribute("aria-busy", "true");
    try {
      const { data } = await api.get("/v1/me/logIns");
      show(data.logIns);
    } catch (error) {
      alertBeside(list, sentence(error));
    }
    list.removeAttribute("aria-busy");
  }

  function show(found) {
    alertBeside(list, null);
    keyed(list, [...found].sort((a, b) => b.current - a.current), (one) => one.id, make, update);
    row.hidden = found.length < 2;
  }

  function make(one) {
    const used = h("span", { class: "log-in-used" });
    const when = moment(one.createdAt);
    const end = one.current
      ? h("span", { class: "badge", text: t("time.thisDevice") })
      : h("button", {
        type: "button", class: "button", "aria-label": t("time.signOutOf", { when }), on: { click: () => endOne(one) },
      }, t("time.signOut"));
    const since = h("span", { class: "soft" }, t("time.since", { when }));
    return h("li", { class: "log-in" }, h("span", null, used, since), end);
  }

  function update(element, one) {
    text(element.querySelector(".log-in-used"), t("time.lastUsed", { when: moment(one.lastUsedAt ?? one.createdAt) }));
  }

  async function endOne(one) {
    try {
      await api.send("DELETE", `/v1/me/logIns/${one.id}`);
    } catch (error) {
      if (error.code !== "log_in_not_found") return alertBeside(list, sentence(error));
    }
    ended();
  }

  async function endOthers() {
    try {
      await api.send("DELETE", "/v1/me/logIns");
    } catch (error) {
      return alertBeside(list, sentence(error));
    }
    ended();
  }

  async function ended() {
    message(t("time.signedOut"));
    title.focus();
    await load();
  }

  return { element, load, stop: store.on("logIns", load) };
}

/** "Thu, Nov 26, 9:00 AM" */
function moment(instant) {
  const zone = zoneOfPerson();
  return `${date(localDate(instant, zone))}, ${time(instant, zone)}`;
}

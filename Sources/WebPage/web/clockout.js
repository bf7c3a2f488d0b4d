// The dialog that clocks somebody out at a date and a time, in that person's zone.
import { api, org, uuid } from "./api.js";
import { formDialog } from "./form.js";
import { hours, instantOf, localDate, time, wallTime } from "./format.js";
import { moment } from "./boardrows.js";
import { zoneOfPerson } from "./period.js";
import { now } from "./servertime.js";
import { message } from "./shell.js";
import { t } from "./words.js";

/** One key for one act: the same content sent again keeps it, until the service has refused it. */
export function actKey() {
  let content = null;
  let key = null;
  return async (body, send) => {
    if (content !== JSON.stringify(body)) [content, key] = [JSON.stringify(body), uuid()];
    try {
      return await send(key);
    } catch (error) {
      if (error.status < 500 && error.status !== 429) content = null;
      throw error;
    }
  };
}

/** "Times are those of Asia/Tokyo." if that is not the viewer's zone. */
export const zoneHint = (zone) => (zone === zoneOfPerson() ? "" : t("manager.zoneHint", { zone }));

/**
 * Asks when it was and clocks the person out; `done(entry)` gets the closed entry. Of a forgotten one no time is
 * proposed: only a person knows it.
 */
export function clockOutDialog({ person, forgotten, opener, done }) {
  const { zone } = person;
  const { since } = person.entry;
  const once = actKey();
  const hint = [t("manager.clockedInSince", { time: moment(since, zone) }), zoneHint(zone)].join(" ").trim();
  const dialog = formDialog({
    title: t("manager.clockOutName", { name: person.name }),
    fields: [
      { label: t("common.date"), name: "date", type: "date", hint, required: true,
        value: localDate(forgotten ? since : now(), zone) },
      { label: t("manager.time"), name: "time", type: "time", required: true,
        value: forgotten ? "" : wallTime(now(), zone) },
    ],
    saveLabel: t("manager.clockOutAct"),
    opener,
    save,
  });

  async function save(values) {
    const at = instantOf(values.date, values.time, zone);
    if (!at) {
      dialog.fields[1].fail(t("manager.skipped"));
      return false;
    }
    const body = { userId: person.userId };
    // The minute that runs is "now": its beginning may lie before the clock-in.
    if (values.date !== localDate(now(), zone) || values.time !== wallTime(now(), zone)) body.clockOutTime = at;
    let data;
    try {
      ({ data } = await once(body, (key) => api.send("POST", org("/timeEntries/clockOut"), body, { key })));
    } catch (error) {
      if (error.code !== "not_clocked_in") throw error;
      dialog.fail(t("manager.alreadyOut", { name: person.name }));
      return false;
    }
    done(data);
    const said = { name: person.name, time: time(data.clockOutTime, zone), hours: hours(data.durationSeconds) };
    message(t("manager.clockedOutAt", said));
    return true;
  }
}

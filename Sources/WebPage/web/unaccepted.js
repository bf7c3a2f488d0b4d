// Punches that the service did not accept, or that wait for their clock-out: each is shown, and can be entered by hand.
import { Refusal } from "./api.js";
import { today, zone } from "./clockdata.js";
import { localDate, shortDate, time } from "./format.js";
import { h, text } from "./h.js";
import { keyed } from "./list.js";
import { discard } from "./punches.js";
import { sentence } from "./refusals.js";
import { store } from "./store.js";
import { t } from "./words.js";

const MINUTE = 60_000;

/** Shows them in `place`, which is for them alone. */
export function showUnaccepted(place) {
  keyed(place, store.get("refused") || [], ({ id }) => id, make, patch);
}

function make(punch) {
  const sentence = h("p", null);
  const enter = h("button", { type: "button", class: "button", on: { click: () => enterByHand(punch, enter) } },
    t("clock.unaccepted.enter"));
  const away = h("button", { type: "button", class: "button", on: { click: () => {
    const main = item.closest("main");
    discard(punch.id);
    main?.querySelector(".button-large")?.focus();
  } } }, t("clock.unaccepted.discard"));
  const item = h("div", { class: "alert", role: "alert" }, sentence,
    h("div", { class: "cluster" }, punch.breakTypeId || punch.type === "stopSegment" ? null : enter, away));
  item.sentence = sentence;
  return item;
}

function patch(item, punch) {
  text(item.sentence, t("clock.unaccepted.refused", {
    punch: t(kind(punch)), time: when(punch.at),
    sentence: punch.problem ? sentence(new Refusal(punch.problem.status, punch.problem)) : t("refusal.fault") }));
}

function kind(punch) {
  if (punch.type === "startSegment") return punch.breakTypeId ? "clock.startBreak" : "clock.kind.startWork";
  return { clockIn: "clock.in", clockOut: "clock.out", stopSegment: "clock.kind.stop" }[punch.type];
}

/** "8:00 AM", with the date if it is not today's. */
function when(at) {
  const date = localDate(at, zone());
  return date === today() ? time(at, zone()) : `${shortDate(date)}, ${time(at, zone())}`;
}

/** Opens the entry form with the known values, also the clock-out behind a clock-in; both punches go when it is
   entered. */
async function enterByHand(punch, opener) {
  const { editEntry } = await import("./entryform.js");
  const iso = (at) => at && new Date(at).toISOString();
  const isOut = punch.type === "clockOut";
  const out = isOut ? punch : (store.get("refused") || []).find((one) => one.type === "clockOut" && one.at > punch.at);
  const stop = store.on("record:timeEntry", (record) => {
    const times = record?.version === 1 ? [record.clockInTime, record.clockOutTime] : [];
    if (!times.some((time) => time && Math.abs(Date.parse(time) - punch.at) < MINUTE)) return;
    stop();
    for (const one of new Set([punch, out])) if (one) discard(one.id);
  });
  editEntry({ entry: null, opener, draft: { clockInTime: isOut ? null : iso(punch.at), clockOutTime: iso(out?.at),
    notes: punch.notes, sessionId: punch.sessionId } });
}

// The rights to change entries: managers everything, members their own by the policy, as the service answers.
import { now } from "./servertime.js";
import { store } from "./store.js";

const DAY = 86_400_000;

const isManager = () => ["manager", "admin"].includes(store.get("membership").role);
const policy = () => store.get("organization").policy;

/** Whether times are entered by hand at all. */
export const mayEnterTimes = () => isManager() || policy().membersMayEnterTimes;

/** Until when a closed entry may be changed, in milliseconds; running entries, and managers, have no end. */
function editableUntil(entry) {
  if (isManager() || entry.clockOutTime === null) return Infinity;
  const afterEnd = Date.parse(entry.clockOutTime) + policy().editWindowDays * DAY;
  const days = policy().manualEntryDays;
  return days === null ? afterEnd : Math.min(afterEnd, Date.parse(entry.clockInTime) + days * DAY);
}

/** `{notes, times, remove}`; undoing a clock-in is said by `allowed` of `getCurrentTimeEntry`. */
export function rightsOf(entry, allowed = null) {
  const open = entry.clockOutTime === null;
  const notes = now() <= editableUntil(entry) && allowed?.edit !== false;
  const times = notes && mayEnterTimes();
  return { notes, times, remove: open ? Boolean(allowed?.cancel) : times };
}

// Sentences for refusals and lost connections: by the problem's code, else the service's own `detail`.
import { shortDate, time } from "./format.js";
import { store } from "./store.js";
import { has, n, t } from "./words.js";

/** "16 hours", "90 minutes", "45 seconds" */
function duration(seconds) {
  if (seconds % 3600 === 0) return n("common.hours", seconds / 3600);
  if (seconds % 60 === 0) return n("common.minutes", seconds / 60);
  return n("common.seconds", seconds);
}

/** "Nov 26, 8:00 AM – 12:00 PM" */
function span(entry) {
  const end = entry.clockOutTime ? time(entry.clockOutTime, entry.timeZone) : t("common.present");
  return `${shortDate(entry.date)}, ${time(entry.clockInTime, entry.timeZone)} – ${end}`;
}

/** The sentence of a `Refusal`, `NoConnection` or other error. */
export function sentence(error) {
  if (error.name === "AbortError") return "";
  if (!("status" in error)) return t(error.offline ? "refusal.offline" : "refusal.fault");
  const policy = store.get("organization")?.policy || {};
  const { code, problem, status, retryAfter } = error;
  switch (code) {
    case "overlap": {
      const spans = (problem.overlaps || []).slice(0, 3).map(span).join("; ");
      return n("refusal.overlap", problem.count || 1, { spans });
    }
    case "too_many_attempts":
      return t("refusal.too_many_attempts", { wait: n("common.minutes", Math.ceil((retryAfter || 60) / 60)) });
    case "notes_too_long":
      return t("refusal.notes_too_long", { limit: policy.notesMaximumCharacters ?? 500 });
    case "too_long":
      return t("refusal.too_long", { limit: duration(policy.maximumSeconds ?? 57_600) });
    case "too_short":
      return t("refusal.too_short", { limit: duration(policy.minimumSeconds ?? 60) });
  }
  const key = `refusal.${code}`;
  if (has(key)) return t(key, problem);
  if (has(`${key}.other`)) return n(key, problem.count ?? 1, problem);
  if (status === 429 || status >= 500) return t("refusal.unavailable");
  return error.detail || t("refusal.fault");
}

// The policy's settings, as the contract has them (PolicyUpdate): key, kind, unit, limits and default, by groups.
// A number is shown in its unit, `factor` of which is one. `none`: null is no limit. `above`: it has
// to be more than another one.
const FACTORS = { minutes: 60, hours: 3600 };

const number = (key, unit, min, max, initial, factor = FACTORS[unit] || 1) =>
  ({ key, kind: "number", unit, factor, min, max, initial, none: initial === null });
const yes = (key, initial) => ({ key, kind: "checkbox", initial });

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

export const GROUPS = [
  {
    name: "entering",
    settings: [
      number("editWindowDays", "days", 0, 3650, 30),
      number("manualEntryDays", "days", 0, 3650, null),
      number("lookBackHours", "hours", 0, 8760, 72, 1),
      yes("membersMayEnterTimes", true),
    ],
  },
  {
    name: "entries",
    settings: [
      number("minimumSeconds", "minutes", 0, 86400, 60),
      { ...number("maximumSeconds", "hours", 60, 604800, 57600), above: "minimumSeconds" },
      number("notesMaximumCharacters", "characters", 0, 10000, 500),
    ],
  },
  {
    name: "forgotten",
    settings: [
      number("remindAfter", "hours", 300, 604800, null),
      number("autoClockOutAfter", "hours", 60, 1209600, null),
    ],
  },
  {
    name: "overtime",
    settings: [
      number("dailyOvertimeAfter", "hours", 0, 86400, null),
      number("weeklyOvertimeAfter", "hours", 0, 604800, null),
      { key: "weekStart", kind: "select", initial: "monday", values: WEEKDAYS },
    ],
  },
  {
    name: "breaks",
    settings: [
      number("breakMinimumSeconds", "minutes", 0, 86400, 900),
      { key: "breakRules", kind: "rules", initial: [] },
    ],
  },
  {
    name: "work",
    settings: [
      yes("projectRequired", false),
      yes("membersMayCreateProjects", true),
      number("timerSessionDays", "days", 1, 3650, 730),
    ],
  },
];

/** All settings by their keys. */
export const SETTINGS = new Map(GROUPS.flatMap((group) => group.settings).map((setting) => [setting.key, setting]));

/** A number of the service in the unit of its setting, with four digits behind the point at most. */
export function shown(setting, value) {
  return value == null ? "" : String(Math.round((value / setting.factor) * 10000) / 10000);
}

/** The typed value in the unit of its setting, as the service counts; NaN if it is no number, null if empty. */
export function counted(setting, typed) {
  return typed.trim() === "" ? null : Math.round(Number(typed) * setting.factor);
}

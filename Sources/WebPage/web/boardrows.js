// The rows of the Board: the table "Clocked In" and the list "Clocked Out". Elements stay, texts change.
import { date, hours, localDate, time, weekday } from "./format.js";
import { attribute, dot, h, text } from "./h.js";
import { keyed } from "./list.js";
import { zoneOfPerson } from "./period.js";
import { purposeOf } from "./presence.js";
import { href } from "./router.js";
import { now } from "./servertime.js";
import { t } from "./words.js";

/** "9:00 AM", with the weekday or the date if it is not today's, and the zone if it is not the viewer's. */
export function moment(at, zone) {
  const day = localDate(at, zone);
  const away = now() - at;
  const clock = time(at, zone);
  const named = zone === zoneOfPerson() ? clock : `${clock} ${zone}`;
  if (day === localDate(now(), zone)) return named;
  return `${away < 6 * 86_400_000 ? weekday(day) : date(day)} ${named}`;
}

/** "12m", "1h 5m" */
export const lasting = (seconds) => (seconds < 3600 ? `${Math.max(0, Math.floor(seconds / 60))}m` : hours(seconds));

export const personLink = (person) => h("a", { href: href(`people/${person.userId}`), text: person.name });

export const clockOutName = (person) => t("manager.clockOutName", { name: person.name });

/** The table "Clocked In"; `onClockOut(person, button)`. */
export function clockedIn({ people, purposes, forgotten, onClockOut }) {
  const body = h("tbody", { role: "rowgroup" });
  const columns = ["name", "since", "on", "today", "action"].map((key) => t(`manager.column.${key}`));
  const numeric = (index) => index === 3 && "numeric";
  const head = (label, index) => h("th", { scope: "col", role: "columnheader", class: numeric(index) },
    h("span", { class: index === 4 && "visually-hidden", text: label }));
  const element = h("table", { class: "table board-in", role: "table" },
    h("caption", { class: "visually-hidden", text: t("manager.clockedIn") }),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(head))), body);

  function make(person) {
    const parts = { name: h("a"), since: h("span"), on: h("span", { class: "board-on" }), today: h("span") };
    const button = h("button", { type: "button", class: "button", text: t("manager.clockOut"),
      on: { click: () => onClockOut(row.person, button) } });
    const cell = (index, node) => h("td", { role: "cell", "data-label": columns[index], class: numeric(index) }, node);
    const row = h("tr", { role: "row" }, h("th", { scope: "row", role: "rowheader" }, parts.name), cell(1, parts.since),
      cell(2, parts.on), cell(3, parts.today), h("td", { role: "cell", class: "board-act" }, button));
    Object.assign(row, { parts, button });
    return row;
  }

  function update(row, person) {
    row.person = person;
    const { parts } = row;
    attribute(parts.name, "href", href(`people/${person.userId}`));
    text(parts.name, person.name);
    text(parts.since, moment(person.entry.since, person.zone));
    attribute(row.button, "aria-label", clockOutName(person));
    // A person among the forgotten clock-outs has the button there.
    row.button.hidden = forgotten(person);
    tick(row);
  }

  /** Running values: hours of today, and the length of a break. */
  function tick(row) {
    const { person, parts } = row;
    if (!person.entry) return;
    const segment = people.at(person);
    const rests = segment?.kind === "break";
    attribute(parts.on.parentNode, "data-label", segment ? columns[2] : null);
    const { color, name } = (segment && purposes.get(purposeOf(segment).id)) || {};
    const shown = segment ? `${segment.id} ${color}` : "";
    if (parts.shown !== shown) {
      parts.shown = shown;
      parts.on.className = rests ? "badge state-break" : "board-on";
      parts.word = document.createTextNode("");
      parts.on.replaceChildren(...(segment && !rests ? [dot(color)] : []), parts.word);
    }
    if (segment) {
      const word = name || segment.name;
      text(parts.word, rests ? `${word} ${lasting((now() - segment.since) / 1000)}` : word);
    }
    text(parts.today, hours(people.today(person, now())));
  }

  return {
    element,
    update: (rows) => keyed(body, rows, (person) => person.userId, make, update),
    tick: () => [...body.rows].forEach(tick),
  };
}

/** The list "Clocked Out": the last clock-out of today, and today's hours. */
export function clockedOut({ people }) {
  const element = h("ul", { class: "rows board-out", role: "list", "aria-label": t("manager.clockedOut") });

  function make() {
    const parts = { name: h("a"), last: h("span", { class: "soft" }), today: h("span", { class: "numeric" }) };
    return Object.assign(h("li", {}, parts.name, parts.last, parts.today), { parts });
  }

  function update({ parts }, person) {
    attribute(parts.name, "href", href(`people/${person.userId}`));
    text(parts.name, person.name);
    const { lastOut } = person;
    text(parts.last, lastOut ? t("manager.lastOut", { time: moment(lastOut, person.zone) }) : t("manager.notToday"));
    text(parts.today, lastOut || person.closed ? hours(people.today(person, now())) : "");
  }

  return { element, update: (rows) => keyed(element, rows, (person) => person.userId, make, update) };
}

// The breaks and projects of an entry in its form: closed at first; their times can be changed.
import { api, org } from "./api.js";
import { addDays, localDate } from "./format.js";
import { h, text } from "./h.js";
import { keyed } from "./list.js";
import { sentence } from "./refusals.js";
import { segmentRow } from "./segmentrow.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** `element`; `save(entry, reason)` → whether all is kept; `refresh(anew)` reads the segments again. */
export function segmentEditor(entry, zone, editable) {
  const note = h("p", { class: "soft", text: t("time.loading") });
  const list = h("ul", { class: "segment-list" });
  const element = h("details", { class: "segments" }, h("summary", { text: t("time.segments") }), note, list);
  let rows = null;
  element.addEventListener("toggle", () => {
    if (element.open && !rows) read().then(show, (error) => text(note, sentence(error)));
  });

  async function read() {
    const end = entry.clockOutTime ?? entry.clockInTime;
    const query = { userId: entry.userId, startDate: addDays(localDate(entry.clockInTime, zone), -1),
      endDate: addDays(localDate(end, zone), 1), match: "overlap", limit: 1000 };
    const all = await api.all(org("/segments"), query, "segments");
    const found = all.filter((segment) => segment.timeEntryId === entry.id);
    await names(found);
    return found.sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
  }

  function show(segments) {
    const former = rows || new Map();
    const seen = new Map();
    rows = new Map();
    for (const segment of segments) {
      const name = nameOf(segment);
      seen.set(name, (seen.get(name) || 0) + 1);
      const named = seen.get(name) > 1 ? `${name} (${seen.get(name)})` : name;
      const row = former.get(segment.id) || segmentRow(segment, named, zone, editable);
      row.rebase(segment);
      rows.set(segment.id, row);
    }
    keyed(list, [...rows.values()], (row) => row.id, (row) => row.element);
    text(note, segments.length ? "" : t("time.noSegments"));
    note.hidden = segments.length > 0;
  }

  /** Sends the changed rows. A row in another's way waits until that has moved. */
  async function save(parent, reason) {
    let waiting = [...(rows?.values() || [])].filter((row) => row.changed);
    for (const row of waiting) row.fail(null);
    for (;;) {
      const refused = [];
      for (const row of waiting) {
        const error = await row.send(parent, reason);
        if (error?.code === "segment_overlap") refused.push([row, error]);
        else if (error) return row.fail(sentence(error));
      }
      if (refused.length === 0) return true;
      if (refused.length === waiting.length) return refused.map(([row, error]) => row.fail(sentence(error)))[0];
      waiting = refused.map(([row]) => row);
    }
  }

  async function refresh(anew) {
    if (!rows) return;
    if (anew) rows = null;
    if (anew) list.replaceChildren();
    show(await read());
  }

  return { element, save, refresh };
}

/** Names of projects and breaks, asked for only if one is not known. */
async function names(segments) {
  const missing = (resource, key) => segments.some((one) => one[key] && !store.records(resource).has(one[key]));
  const read = async (resource, path, list) => {
    for (const record of await api.all(org(path), { limit: 1000 }, list)) store.take(resource, record);
  };
  await Promise.all([
    missing("project", "projectId") && read("project", "/projects", "projects"),
    missing("breakType", "breakTypeId") && read("breakType", "/breakTypes", "breakTypes"),
  ]);
}

function nameOf(segment) {
  const named = store.records("project").get(segment.projectId) || store.records("breakType").get(segment.breakTypeId);
  return named?.name ?? segment.name;
}


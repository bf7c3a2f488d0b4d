// Dialog "Export": entries or segments of some dates, as a table or as lines of JSON, saved as a file.
import { org } from "./api.js";
import { dialog } from "./dialog.js";
import { download, size } from "./download.js";
import { complete, field, showError } from "./form.js";
import { h, text } from "./h.js";
import { message } from "./shell.js";
import { t } from "./words.js";

const PATHS = { entries: "/timeEntries/export", segments: "/segments/export" };
const FILES = { entries: "time-entries", segments: "segments" };

export function exportDialog({ from, to, opener }) {
  const options = (group, ...values) => values.map((value) => ({ value, label: t(`manager.${group}.${value}`) }));
  const what = field({ type: "radio", label: t("manager.exportWhat"), name: "what", value: "entries",
    options: options("what", "entries", "segments") });
  const first = field({ type: "date", label: t("manager.from"), name: "startDate", value: from, required: true });
  const last = field({ type: "date", label: t("manager.to"), name: "endDate", value: to, required: true });
  const format = field({ type: "radio", label: t("manager.format"), name: "format", value: "csv",
    options: options("format", "csv", "ndjson") });
  const durations = field({ type: "select", label: t("manager.durations"), name: "durations",
    options: options("durations", "seconds", "decimal", "clock"), value: "seconds" });
  const excel = field({ type: "checkbox", label: t("manager.excel"), name: "dialect" });
  const fields = [what, first, last, format, durations, excel];
  const dates = h("div", { class: "export-dates" }, first.element, last.element);
  const progress = h("p", { class: "soft export-progress" });
  let running = null;

  const shown = dialog({
    title: t("manager.export"),
    opener,
    content: [what.element, dates, format.element, durations.element, excel.element, progress],
    actions: [{ label: t("manager.download"), kind: "primary", act: start }, { label: t("common.cancel") }],
    onClose: () => running?.abort(),
  });
  const button = shown.element.querySelector("button[type=submit]");

  /** Segments have seconds only, and lines of JSON have one form. */
  function adapt() {
    const table = format.value === "csv";
    durations.element.hidden = !table || what.value !== "entries";
    excel.element.hidden = !table;
    text(button, t(table ? "manager.download" : "manager.downloadLines"));
  }
  what.input.addEventListener("change", adapt);
  format.input.addEventListener("change", adapt);
  adapt();

  /** Starts and leaves the dialog as it is: Cancel and Escape work meanwhile. */
  function start() {
    if (running || !complete(fields)) return false;
    const inOrder = first.value <= last.value;
    last.fail(inOrder ? null : t("manager.datesOrder"));
    if (inOrder) fetchFile();
    else last.focus();
    return false;
  }

  async function fetchFile() {
    running = new AbortController();
    const { signal } = running;
    setTimeout(() => button.setAttribute("aria-disabled", "true"));
    const table = format.value === "csv";
    const query = { startDate: first.value, endDate: last.value, format: format.value };
    if (table && what.value === "entries") query.durations = durations.value === "clock" ? "hh:mm" : durations.value;
    if (table && excel.value) query.dialect = "excel";
    const name = `${FILES[what.value]}-${first.value}-${last.value}.${format.value}`;
    text(progress, t("manager.soFar", { size: size(0) }));
    let toldAt = 0;
    const tell = (bytes) => {
      if (performance.now() - toldAt < 200) return;
      toldAt = performance.now();
      text(progress, t("manager.soFar", { size: size(bytes) }));
    };
    try {
      const bytes = await download({ path: org(PATHS[what.value]), query, name, signal, progress: tell });
      message(t("manager.exported", { name, size: size(bytes) }));
      shown.close();
    } catch (error) {
      text(progress, "");
      if (!signal.aborted) showError(fields, error, shown.fail);
    }
    running = null;
    button.removeAttribute("aria-disabled");
  }
}

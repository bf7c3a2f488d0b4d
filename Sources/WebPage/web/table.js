// Tables whose rows are patched; below 40 rem each cell becomes a block with its column's name.
import { h, text } from "./h.js";
import { keyed } from "./list.js";

/**
 * `columns`: `{key, label, numeric}`; `cell(row, key, current)` → node, text or a list; `rowHeader`: the column
 * that names the row. A cell that looks the same is kept with its listeners: they ask `current()` for the row.
 */
export function table({ label, columns, rows = [], keyOf, cell, rowHeader }) {
  const body = h("tbody", { role: "rowgroup" });
  const element = h("table", { class: "table", role: "table" },
    h("caption", { class: "visually-hidden" }, label),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map((column) =>
      h("th", { scope: "col", role: "columnheader", class: column.numeric && "numeric" }, column.label)))),
    body);

  function make() {
    return h("tr", { role: "row" }, columns.map((column) => h(column.key === rowHeader ? "th" : "td", {
      role: column.key === rowHeader ? "rowheader" : "cell", scope: column.key === rowHeader && "row",
      "data-label": column.label, class: column.numeric && "numeric" })));
  }
  function fill(element, row) {
    element.row = row;
    columns.forEach((column, k) => put(element.children[k], cell(row, column.key, () => element.row)));
  }
  function update(next) {
    keyed(body, next, keyOf, make, fill);
  }
  update(rows);
  return { element, update };
}

/** Puts a text or nodes into a cell; nodes that equal those there stay, so that a press on a button is not lost. */
function put(place, content) {
  const nodes = [content ?? ""].flat().filter((node) => node !== false);
  if (nodes.length === 1 && typeof nodes[0] !== "object") {
    text(place, String(nodes[0]));
    return;
  }
  const there = [...place.childNodes];
  const equal = (node, k) => (typeof node === "object" ? node.isEqualNode(there[k]) : there[k]?.data === String(node));
  if (nodes.length !== there.length || !nodes.every(equal)) place.replaceChildren(...nodes);
}

// Fetches a file with the token and saves it: streamed into a blob, with its progress, until it is whole.
import { NoConnection, api } from "./api.js";
import { h } from "./h.js";
import { language } from "./words.js";

const PIECE = 4_000_000;

/** "1.2 MB", "340 kB" */
export function size(bytes) {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  const options = { style: "unit", unit, maximumFractionDigits: unit === "megabyte" ? 1 : 0 };
  return new Intl.NumberFormat(language(), options).format(value);
}

/** `progress(bytes)` is called as bytes come. A refusal, a cut, or `signal` throws, and nothing is saved. */
export async function download({ path, query, name, signal, progress }) {
  const response = await api.send("GET", path, undefined, { query, raw: true, signal });
  const reader = response.body.getReader();
  const type = response.headers.get("Content-Type") || "application/octet-stream";
  const pieces = [];
  let chunks = [];
  let bytes = 0;
  let pending = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal.aborted ? error : new NoConnection("The file broke off.");
    });
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    pending += value.length;
    // Large files are handed to the browser in pieces, which may keep them on disk.
    if (pending > PIECE) {
      pieces.push(new Blob(chunks));
      chunks = [];
      pending = 0;
    }
    progress(bytes);
  }
  save(new Blob([...pieces, ...chunks], { type }), name);
  return bytes;
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

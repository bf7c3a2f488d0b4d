// Loads modules of the page in node: a copy of `web/` in a folder that says its files are ES modules.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const web = process.env.TIMECLOCK_WEB || fileURLToPath(new URL("../../../Sources/WebPage/web", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "timeclock-page-"));
for (const name of readdirSync(web)) if (name.endsWith(".js")) cpSync(join(web, name), join(copy, name));
writeFileSync(join(copy, "package.json"), '{"type": "module"}');
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));

/** Imports a module; `again` gives one of its own, without another test's state. */
export const load = (name, again = "") => import(`${pathToFileURL(join(copy, name))}${again && `?${again}`}`);

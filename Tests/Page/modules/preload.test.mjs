// The files that page.html loads ahead are those that a member's first screen imports.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { web } from "./modules.mjs";

const text = (name) => readFileSync(join(web, name), "utf8");

/** The modules that one imports at its start, and those that these import. */
function imported(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of text(name).matchAll(/^(?:import|export)\b[^;]*?"\.\/([\w.]+)"/gm)) imported(other, found);
  return found;
}

test("page.html preloads what the first screen imports, and nothing else", () => {
  const wanted = imported("clock.js", imported("main.js"));
  wanted.delete("main.js");
  const listed = [...text("page.html").matchAll(/rel="modulepreload" href="\/assets\/\{\{set\}\}\/([\w.]+)"/g)];
  assert.deepEqual(listed.map(([, name]) => name).sort(), [...wanted].sort());
});

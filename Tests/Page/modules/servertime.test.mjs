// The service's time out of its answers, independent of the device's clock.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load } from "./modules.mjs";

const SERVER = Date.parse("2026-11-26T08:00:00Z");
const iso = (milliseconds) => new Date(milliseconds).toISOString();
let at = 0;
let copies = 0;
let clock;

mock.method(performance, "now", () => at);
globalThis.localStorage ??= { getItem: () => null, setItem() {}, removeItem() {} };

beforeEach(async () => {
  at = 0;
  clock = await load("servertime.js", `copy=${(copies += 1)}`);
});

test("after an answer the time is the service's, and runs on", () => {
  clock.note(iso(SERVER), 1000, 1040);
  at = 1040;
  assert.ok(Math.abs(clock.now() - SERVER) <= 40);
  const then = clock.now();
  at += 5000;
  assert.equal(clock.now() - then, 5000);
});

test("the answer with the shortest round trip counts", () => {
  clock.note(iso(SERVER), 0, 20);
  at = 20;
  const close = clock.now();
  // The second answer took two seconds: its time is up to two seconds old.
  clock.note(iso(SERVER + 1000), 500, 2500);
  at = 2520;
  assert.equal(clock.now() - close, 2500);
});

test("a clock that was set at the service is followed", () => {
  clock.note(iso(SERVER), 0, 10);
  clock.note(iso(SERVER + 3_600_000), 1000, 1500);
  at = 1500;
  assert.ok(Math.abs(clock.now() - (SERVER + 3_600_000)) <= 500);
});

test("what is no time changes nothing", () => {
  clock.note(iso(SERVER), 0, 10);
  at = 10;
  const before = clock.now();
  clock.note("soon", 0, 1);
  assert.equal(clock.now(), before);
});

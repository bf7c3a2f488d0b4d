// The service's time, independent of the device's clock.

// The last answers that said a time: the service's clock was at `server` some time between `sentAt` and `receivedAt`.
let samples = [];
let best = null;

/** Notes the service's time out of an answer; `sentAt` and `receivedAt` are of `performance.now()`. */
export function note(serverTime, sentAt, receivedAt) {
  const server = Date.parse(serverTime);
  if (Number.isNaN(server)) return;
  const sample = { server, sentAt, receivedAt, low: server - receivedAt, high: server - sentAt };
  // The device slept, or the service's clock was set: earlier samples do not count any more.
  if (best && (sample.low > best.high + 20 || sample.high < best.low - 20)) samples = [];
  samples = [...samples.slice(-9), sample];
  best = samples.reduce((a, b) => (b.receivedAt - b.sentAt < a.receivedAt - a.sentAt ? b : a));
  keepOffset();
}

/** Milliseconds since 1970 by the service's clock. */
export const now = () => (best ? best.server + performance.now() - best.receivedAt : Date.now() + offset());

// Before the service has said a time, a page that starts without a connection has the device's clock, and its offset
// when the service last said one.
const OFFSET = "timeclock.offset";
const offset = () => Number(localStorage.getItem(OFFSET)) || 0;

function keepOffset() {
  const next = Math.round(now() - Date.now());
  if (Math.abs(next - offset()) > 500) localStorage.setItem(OFFSET, next);
}

// One tab at a time, for browsers and addresses without `navigator.locks`: a lease in IndexedDB that ends by itself.
import { uuid } from "./api.js";
import { KEPT, transact } from "./idb.js";

const LENGTH = 10_000;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Runs `work` while no other tab holds the lease of this name. */
export async function holding(name, work) {
  const holder = uuid();
  while (!(await take(name, holder, LENGTH))) await pause(300);
  const renewal = setInterval(() => take(name, holder, LENGTH), LENGTH / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await take(name, holder, -1);
  }
}

/** Takes or renews a lease; false while another holds it. The times are this device's alone. */
async function take(name, holder, milliseconds) {
  const decide = (kept, answer) => (kept.get(name).onsuccess = ({ target }) => {
    const now = Date.now();
    const held = target.result;
    const isFree = !held || held.holder === holder || held.until < now || held.until > now + 60_000;
    if (isFree) kept.put({ key: name, holder, until: now + milliseconds });
    answer(isFree);
  });
  return transact(KEPT, decide).catch(() => true);
}

// The store of this device: punches that wait to be sent, and lists for a start without a connection. In memory if
// IndexedDB is missing.

const PUNCHES = "punches";
export const KEPT = "kept";
const memory = new Map();
let opening = null;
let durable = true;

/** Whether stored data outlives the page. */
export const isDurable = () => durable;

function open() {
  opening ||= new Promise((done, fail) => {
    const request = indexedDB.open("timeclock", 1);
    setTimeout(() => fail(new Error("IndexedDB does not answer.")), 3000);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(PUNCHES, { keyPath: "id" }).createIndex("owner", "owner");
      request.result.createObjectStore(KEPT, { keyPath: "key" });
    };
    request.onerror = request.onblocked = () => fail(request.error || new Error("IndexedDB is in use."));
    request.onsuccess = () => {
      const database = request.result;
      const forget = () => (opening = null);
      database.onclose = forget;
      // Another tab signs out and deletes the database.
      database.onversionchange = () => {
        database.close();
        forget();
        memory.clear();
      };
      done(database);
    };
  });
  return opening;
}

/** A read-write transaction on a store; `work(objectStore, answer)` runs inside, the answer comes after the commit. */
export async function transact(name, work) {
  const database = await open();
  return new Promise((done, fail) => {
    let value;
    const transaction = database.transaction(name, "readwrite", { durability: "strict" });
    transaction.oncomplete = () => done(value);
    transaction.onabort = () => fail(transaction.error || new Error("The transaction was aborted."));
    work(transaction.objectStore(name), (answer) => (value = answer));
  });
}

const byTime = (a, b) => a.at - b.at || (a.id < b.id ? -1 : 1);

/**
 * Reads the punches of an owner in the order of their times, and writes the result of `decide(punches)`, `{put, remove,
 * value}`, in the same transaction. Returns `{punches, value}` as they are afterwards. `decide` is pure: it runs again
 * in memory if the device refuses to keep.
 */
export async function change(owner, decide) {
  try {
    if (durable) return mirror(owner, await transact(PUNCHES, (punches, answer) => {
      punches.index("owner").getAll(owner).onsuccess = ({ target }) => {
        const outcome = applied(target.result.sort(byTime), decide);
        for (const punch of outcome.put) punches.put(punch);
        for (const id of outcome.remove) punches.delete(id);
        answer(outcome);
      };
    }));
  } catch {
    durable = false;
  }
  return mirror(owner, applied([...memory.values()].filter((punch) => punch.owner === owner).sort(byTime), decide));
}

function applied(punches, decide) {
  const { put = [], remove = [], value } = decide(punches) || {};
  const changed = new Map(punches.map((punch) => [punch.id, punch]));
  for (const punch of put) changed.set(punch.id, punch);
  for (const id of remove) changed.delete(id);
  return { put, remove, value, punches: [...changed.values()].sort(byTime) };
}

/** Keeps a copy in memory, for the case that the device refuses the next time. */
function mirror(owner, { punches, value }) {
  for (const [id, punch] of memory) if (punch.owner === owner) memory.delete(id);
  for (const punch of punches) memory.set(punch.id, punch);
  return { punches, value };
}

// A page that goes in the moment of a press ends uncommitted writes of IndexedDB; localStorage has it until then.
const JOTTED = "timeclock.punch.";

/** Notes a punch within the press itself. */
export function jot(punch) {
  try {
    localStorage.setItem(JOTTED + punch.id, JSON.stringify(punch));
  } catch {
    // The device keeps nothing; the punch is in memory.
  }
}

/** Strikes a punch that was noted: it is kept. */
export const strike = ({ id }) => localStorage.removeItem(JOTTED + id);

/** The punches of an owner that were noted and not kept before the page went. */
export function jotted(owner) {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(JOTTED));
  return keys.map((key) => JSON.parse(localStorage.getItem(key))).filter((punch) => punch.owner === owner);
}

/** Keeps a value under a key; a device that refuses loses no more than a faster start. */
export async function remember(key, value) {
  await transact(KEPT, (kept) => kept.put({ key, value })).catch(() => {});
}

/** The value kept under a key, if any. */
export async function recall(key) {
  const read = (kept, answer) => (kept.get(key).onsuccess = ({ target }) => answer(target.result?.value));
  return transact(KEPT, read).catch(() => undefined);
}

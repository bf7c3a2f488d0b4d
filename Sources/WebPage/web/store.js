// The state that the screens show: values by topic, and the service's records by resource, id and version.

const values = new Map();
const listeners = new Map();
const resources = new Map();

export const store = {
  get: (topic) => values.get(topic),

  /** Keeps a value and notifies the listeners of its topic. */
  set(topic, value) {
    values.set(topic, value);
    store.emit(topic, value);
  },

  /** Calls `listener` on each change of a topic; returns a function that ends that. */
  on(topic, listener) {
    if (!listeners.has(topic)) listeners.set(topic, new Set());
    listeners.get(topic).add(listener);
    return () => listeners.get(topic).delete(listener);
  },

  /** Whether somebody listens to a topic. */
  heard: (topic) => Boolean(listeners.get(topic)?.size),

  emit(topic, value) {
    for (const listener of [...(listeners.get(topic) || [])]) listener(value);
  },

  /** The records of a resource by id. */
  records(resource) {
    if (!resources.has(resource)) resources.set(resource, new Map());
    return resources.get(resource);
  },

  /** Keeps a record unless a newer version of it is known; answers whether it was kept. */
  take(resource, record) {
    const id = idOf(resource, record);
    const known = store.records(resource).get(id);
    if (known && known.version > record.version) return false;
    store.records(resource).set(id, record);
    store.emit(`record:${resource}`, record);
    return true;
  },

  /** Forgets a record that was deleted. */
  drop(resource, id) {
    if (store.records(resource).delete(id)) store.emit(`record:${resource}`, null);
  },

  /** Forgets everything but the listeners: another person or organization comes. */
  clear() {
    values.clear();
    resources.clear();
  },
};

/** A member's id is that of the user. */
function idOf(resource, record) {
  return resource === "member" ? record.userId : record.id;
}

// Requests to the service: the token, the time, problems as errors.
import { token } from "./account.js";
import { note } from "./servertime.js";
import { store } from "./store.js";

/** The service refused, with a problem (RFC 9457). */
export class Refusal extends Error {
  constructor(status, problem, retryAfter) {
    super(problem.detail || problem.title || String(status));
    const { code, detail, errors = [] } = problem;
    Object.assign(this, { status, problem, code, detail, errors, retryAfter });
  }
}

/** No answer came. */
export class NoConnection extends Error {
  offline = true;
}

/** The longest time of a request, except one that is read as it comes. */
const PATIENCE = 30_000;

function lostConnection(error) {
  store.set("connection", "offline");
  return new NoConnection(String(error));
}

/** A random UUID; `randomUUID` needs HTTPS. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The path below the current organization. */
export const org = (path) => `/v1/organizations/${store.get("membership").organizationID}${path}`;

function address(path, query) {
  const given = Object.entries(query || {}).filter(([, value]) => value != null && value !== "");
  // The service takes "+" as a plus, not as a space.
  return given.length ? `${path}?${new URLSearchParams(given)}`.replaceAll("+", "%20") : path;
}

/** Sends and answers the raw `Response`; throws if none came or it refuses. */
export async function request(method, path, { body, query, headers, signal } = {}) {
  const sent = { ...headers };
  const kept = token();
  if (kept) sent.Authorization = `Bearer ${kept}`;
  if (body !== undefined && !sent["Content-Type"]) sent["Content-Type"] = "application/json";
  const data = body === undefined || typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
  const response = await fetch(address(path, query), {
    method, headers: sent, body: data, signal, cache: "no-store", credentials: "omit", redirect: "error",
  }).catch((error) => {
    throw signal?.aborted ? error : lostConnection(error);
  });
  if (store.get("connection") === "offline") store.set("connection", "ok");
  if (response.ok || response.status === 304) return response;
  const problem = await response.json().catch(() => ({}));
  const refusal = new Refusal(response.status, problem, Number(response.headers.get("Retry-After")) || null);
  if (response.status === 401 && kept && kept === token()) store.emit("signedOut");
  if (refusal.code === "password_change_required") store.emit("passwordRequired");
  throw refusal;
}

/** Ends slow requests with `NoConnection`, the body included. */
async function inTime(signal, act) {
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, PATIENCE);
  signal?.addEventListener("abort", end);
  try {
    return await act(stop.signal);
  } catch (error) {
    if (error instanceof Refusal || error instanceof NoConnection || signal?.aborted) throw error;
    throw lostConnection(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

async function send(method, path, body, { query, ifMatch, key, raw, signal, headers } = {}) {
  const fields = { ...headers };
  if (ifMatch) fields["If-Match"] = ifMatch;
  if (key) fields["Idempotency-Key"] = key === true ? uuid() : key;
  if (raw) return request(method, path, { body, query, headers: fields, signal });
  const sentAt = performance.now();
  const [response, text] = await inTime(signal, async (signal) => {
    const response = await request(method, path, { body, query, headers: fields, signal });
    return [response, await response.text()];
  });
  const data = text ? JSON.parse(text) : null;
  const said = data?.serverTime || data?.memberships?.[0]?.current?.serverTime;
  if (said) note(said, sentAt, performance.now());
  return { status: response.status, data, etag: response.headers.get("ETag"), headers: response.headers };
}

export const api = {
  send,
  get: (path, query, options) => send("GET", path, undefined, { query, ...options }),

  /** All items of a list, page by page. */
  async all(path, query, listName) {
    const items = [];
    let cursor;
    do {
      const { data } = await api.get(path, { ...query, cursor });
      items.push(...data[listName]);
      cursor = data.nextCursor;
    } while (cursor);
    return items;
  },
};

// Shows the screen of the address's hash: its module is loaded when it is first asked for, and only for its role.
import { recall, token } from "./account.js";
import { focusHeading } from "./focus.js";
import { h } from "./h.js";
import { sentence } from "./refusals.js";
import { markLink, setTitle } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

const MEMBER = ["clock", "time", "history", "week", "settings"];
const RANKS = { member: 0, manager: 1, admin: 2 };
/** Per screen: its module, the least role, and the name of the address's second part. */
const ROUTES = {
  ...Object.fromEntries(MEMBER.map((name) => [name, { module: name, rank: 0 }])),
  board: { module: "board", rank: 1 },
  timesheets: { module: "timesheets", rank: 1 },
  plan: { module: "plan", rank: 1 },
  people: { module: "person", rank: 1, part: "userId" },
  admin: { module: "admin", rank: 2, part: "section" },
  password: { module: "password", rank: -1 },
};

/** Addresses of the time before somebody is logged in. */
const STARTS = ["login", "invite"];

const INVITATION = "timeclock.invitation";
const RELOADED = "timeclock.reloaded";

let main;
let shown = null;
let turn = 0;

/** Screens are shown in this element from now on. */
export function showIn(element) {
  main = element;
}

export function startRouter() {
  addEventListener("hashchange", route);
}

/** The address of a screen: `href("people/…", {date})`. */
export function href(name, params) {
  const query = new URLSearchParams(Object.entries(params || {}).filter(([, value]) => value != null)).toString();
  return `#/${name}${query ? `?${query}` : ""}`;
}

/** Goes to a screen; with `replace` the present one leaves the history. */
export function navigate(hash, { replace = false } = {}) {
  if (location.hash === hash) return route();
  if (!replace) location.hash = hash;
  else {
    history.replaceState(null, "", hash);
    return route();
  }
}

/** Takes an invitation out of the address, before anything is sent; a reload still finds it. */
export function takeInvitation() {
  const [, part] = /^#\/invite\/(.+)$/.exec(location.hash) || [];
  if (!part) return;
  sessionStorage.setItem(INVITATION, decode(part));
  history.replaceState(null, "", "#/invite");
}

/** The invitation is used up. */
export const dropInvitation = () => sessionStorage.removeItem(INVITATION);

/** The screen of the address that the person may see: `{name, module, params}`. */
function wanted() {
  takeInvitation();
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [asked, part] = path.split("/").map(decode);
  const invitation = asked === "invite" && sessionStorage.getItem(INVITATION);
  if (invitation) return { name: "password", module: "password", params: { invitation } };
  if (!token()) return { name: "login", module: "login", params: {} };
  if (recall("mustChangePassword")) return { name: "password", module: "password", params: {} };
  const role = store.get("membership")?.role;
  const unreachable = store.get("unreachable");
  if (!role) return { name: "login", module: "login", params: { nowhere: true, unreachable } };
  const name = allowed(asked, role);
  if (name !== asked) {
    history.replaceState(null, "", `#/${name}`);
    return { name, module: ROUTES[name].module, params: {} };
  }
  const params = Object.fromEntries(new URLSearchParams(query));
  if (ROUTES[name].part) params[ROUTES[name].part] = part;
  return { name, module: ROUTES[name].module, params };
}

/** The screen of an address for a role: that of another role shows Clock, none the role's first. */
function allowed(asked, role) {
  if (!asked || STARTS.includes(asked)) return RANKS[role] > 0 ? "board" : "clock";
  return Object.hasOwn(ROUTES, asked) && ROUTES[asked].rank <= (RANKS[role] ?? 0) ? asked : "clock";
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Shows the screen of the address. */
export async function route() {
  const mine = ++turn;
  const { module, params, name } = wanted();
  const isFirst = shown === null;
  let screen;
  try {
    screen = await import(`./${module}.js`);
  } catch (error) {
    if (mine === turn) lost(error);
    return;
  }
  sessionStorage.removeItem(RELOADED);
  if (mine !== turn) return;
  shown?.stop?.();
  shown = {};
  main.replaceChildren();
  main.className = `screen-${name}`;
  main.setAttribute("aria-busy", "true");
  markLink(name);
  scrollTo(0, 0);
  const context = { me: store.get("me"), role: store.get("membership")?.role, organization: store.get("organization"),
    membership: store.get("membership") };
  try {
    const showing = screen.show(main, params, context);
    const focused = document.activeElement;
    if (!isFirst && !main.contains(focused)) focusHeading(main);
    const made = (await showing) || {};
    if (mine !== turn) return void made.stop?.();
    shown = made;
    if (made.title) setTitle(made.title);
    if (!isFirst && document.activeElement === document.body) focusHeading(main);
  } catch (error) {
    if (mine === turn) fail(error);
    if (!error.code && !error.offline) throw error;
  } finally {
    if (mine === turn) main.removeAttribute("aria-busy");
  }
}

/** Shows a failed load below the screen, and retries by itself if that may help. */
function fail(error) {
  const mine = turn;
  const again = () => mine === turn && route();
  trouble(sentence(error), t("common.again"), again);
  if (error.status === 429 || error.status >= 500) setTimeout(again, (error.retryAfter || 5) * 1000);
  if (!error.offline) return;
  const end = store.on("connection", (state) => {
    if (state !== "ok" && mine === turn) return;
    end();
    again();
  });
}

/** A module is missing: the service has a new version, or cannot be reached. Once, the page is loaded again. */
function lost(error) {
  console.warn(error);
  const isOnline = navigator.onLine && store.get("connection") !== "offline";
  if (isOnline && !sessionStorage.getItem(RELOADED)) {
    sessionStorage.setItem(RELOADED, "yes");
    location.reload();
    return;
  }
  main.replaceChildren(h("h1", null, t("shell.product")));
  main.removeAttribute("aria-busy");
  if (isOnline) trouble(t("shell.notLoaded"), t("shell.reload"), () => location.reload());
  else trouble(t("refusal.offline"), t("common.again"), () => route());
}

/** An alert at the end of the screen, with a button. */
function trouble(sentence, label, act) {
  main.querySelector(":scope > .trouble")?.remove();
  main.append(h("div", { class: "trouble stack" }, h("p", { class: "alert", role: "alert" }, sentence),
    h("div", null, h("button", { type: "button", class: "button", on: { click: act } }, label))));
}

// The person who is logged in and the organization that is shown: start, change, end.
import { forget, preference, recall, remember, signIn, token } from "./account.js";
import { api } from "./api.js";
import * as live from "./live.js";
import { route } from "./router.js";
import { showPerson } from "./shell.js";
import { store } from "./store.js";
import { chosenLanguage, language, setLanguage, t } from "./words.js";

/** The token of the person who is shown. */
let entered = null;

const ME = { include: "organization,current,sessions" };

/** Shows a language: the person's, unless the address says another. */
export async function speak(persons) {
  const wanted = chosenLanguage(persons, preference("language"));
  if (wanted === store.get("language")) return;
  await setLanguage(wanted);
  store.set("language", wanted);
}

/** Reads who is logged in, begins the live state, shows the screen; without a connection those of the last time. */
export async function enter() {
  entered = token();
  if (token() && !recall("mustChangePassword")) {
    try {
      await read();
    } catch (error) {
      const known = recall("me");
      if (error.code === "password_change_required") remember("mustChangePassword", true);
      else if (known && error.status !== 401) {
        await take(known);
        readLater();
      } else if (error.status !== 401) store.set("unreachable", error);
    }
  }
  showPerson();
  await route();
}

/** Takes up a new log-in, and shows the screen of the address. */
export async function begin(grant, keep) {
  leave();
  signIn(grant, keep);
  await enter();
}

/** Reads the person again as soon as the connection is back. */
function readLater() {
  const end = store.on("connection", (state) => {
    if (state !== "ok") return;
    end();
    refresh().catch(() => {});
  });
}

async function read() {
  const { data } = await api.get("/v1/me", ME);
  remember("me", data);
  await take(data);
}

/** Takes up the person and the organization that was chosen last. */
async function take(me) {
  const memberships = me.memberships.filter(({ active }) => active);
  const chosen = store.get("membership")?.organizationID || recall("organizationID");
  const membership = memberships.find(({ organizationID }) => organizationID === chosen) || memberships[0];
  const organization = membership && (membership.organization || (await readOrganization(membership)));
  await speak(me.user.language);
  store.set("unreachable", null);
  store.set("me", me);
  store.set("memberships", memberships);
  store.set("organization", organization);
  store.set("membership", membership && {
    ...membership, userId: me.user.id, timeZone: membership.timeZone || organization.timeZone });
  if (!membership) return live.stop();
  const last = recall("clock");
  if (last?.organizationID === organization.id && !store.get("clock")) store.set("clock", last.clock);
  live.start();
}

/** The answer about the person has the first ten organizations only. */
const readOrganization = async ({ organizationID }) => (await api.get(`/v1/organizations/${organizationID}`)).data;

/** The last state is shown at the next start, until the service says the present one. */
function keepClock(clock) {
  remember("clock", { clock, organizationID: store.get("membership")?.organizationID });
}

/** Shows another organization of the person. */
export async function select(organizationID) {
  if (organizationID === store.get("membership")?.organizationID) return;
  remember("organizationID", organizationID);
  leave();
  await enter();
}

/** Forgets the person and the organization, as far as they are shown. */
function leave() {
  live.stop();
  const connection = store.get("connection");
  store.clear();
  store.set("language", language());
  store.set("queue", []);
  store.set("connection", connection);
}

/** The token counts no more: the log-in is shown; the address stays, and so does the queue. */
async function signedOut() {
  forget();
  entered = null;
  leave();
  store.set("signedOutSentence", t("login.signedOut"));
  showPerson();
  await route();
}

/** Reads a changed person or membership; another role or language shows the screen again. */
export async function refresh() {
  const shown = () => {
    const { role, organizationID } = store.get("membership") || {};
    return [role, organizationID, language()].join();
  };
  const before = shown();
  await read();
  showPerson();
  if (before !== shown()) await route();
}

/** Another tab has signed out, or logged somebody in. */
function follow() {
  if (token() === entered) return;
  if (!token()) return store.emit("signedOut");
  leave();
  enter();
}

/** Listens to events that end or change a log-in, in this tab and in others. */
export function startSession() {
  store.on("signedOut", signedOut);
  store.on("membershipChanged", () => refresh().catch(() => {}));
  store.on("passwordRequired", () => {
    if (recall("mustChangePassword")) return;
    remember("mustChangePassword", true);
    route();
  });
  store.on("organization", () => showPerson());
  store.on("clock", keepClock);
  store.on("languageChosen", async (code) => {
    await setLanguage(new URLSearchParams(location.search).get("language") || code);
    store.set("language", language());
    await route();
  });
  addEventListener("storage", follow);
  addEventListener("pageshow", follow);
}

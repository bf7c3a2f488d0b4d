// Messages that go after five seconds, the banner of the connection, alerts beside their cause. Their room is reserved.
import { focusHeading } from "./focus.js";
import { h, text } from "./h.js";
import { store } from "./store.js";
import { has, n, t } from "./words.js";

const SHOWN = 5000;
const ONE_SECOND = 1000;

let room;
let status;
let banner = null;
let hiding = 0;
let waiting = 0;
let notice = null;
let before = null;

/** The room of messages, which stays where it is. */
export function notices() {
  status = h("div", { class: "message", role: "status", "aria-label": t("shell.message"), on: { focusin: remember } });
  banner = null;
  room = h("div", { class: "messages" }, status);
  showConnection();
  return room;
}

export function startNotices() {
  for (const topic of ["connection", "queue", "queueInMemory"]) store.on(topic, showConnection);
}

/** Remembers the element that had focus before the button of a message. */
function remember({ relatedTarget }) {
  if (!status.contains(relatedTarget)) before = relatedTarget;
}

/** Shows a message for five seconds, with "Undo" if `undo` is a function. */
export function message(sentence, { undo } = {}) {
  put(sentence, undo && { label: t("shell.undo"), act: undo });
  clearTimeout(hiding);
  hiding = setTimeout(hide, SHOWN);
}

/** Shows a message that stays, with a button. */
export function stay(sentence, label, act) {
  notice = { sentence, action: { label, act } };
  clearTimeout(hiding);
  put(sentence, notice.action);
}

/** A message that is under the pointer or has focus stays a little longer. */
function hide() {
  if (status.matches(":hover, :focus-within")) hiding = setTimeout(hide, ONE_SECOND);
  else put(notice?.sentence, notice?.action);
}

function put(sentence, action) {
  const hadFocus = status.contains(document.activeElement);
  status.replaceChildren();
  if (sentence) status.append(h("span", null, sentence));
  if (sentence && action) {
    status.append(h("button", { type: "button", class: "button", on: { click: () => press(action) } }, action.label));
  }
  if (!hadFocus) return;
  if (before?.isConnected && !before.hidden) before.focus({ preventScroll: true });
  else focusHeading(document);
}

function press(action) {
  clearTimeout(hiding);
  if (notice?.action === action) notice = null;
  put(notice?.sentence, notice?.action);
  action.act();
}

/** The banner of the connection comes after a second, and goes at once. */
function showConnection() {
  const sentence = connectionSentence();
  if (sentence) {
    if (banner) text(banner, sentence);
    else waiting ||= setTimeout(showBanner, ONE_SECOND);
    return;
  }
  clearTimeout(waiting);
  waiting = 0;
  banner?.remove();
  banner = null;
}

function showBanner() {
  waiting = 0;
  banner = h("div", { class: "connection", role: "status", "aria-label": t("shell.connection") });
  room.prepend(banner);
  banner.textContent = connectionSentence();
}

/** The banner's text; null when online with an empty queue. */
function connectionSentence() {
  const count = (store.get("queue") || []).length;
  const isOffline = store.get("connection") === "offline";
  if (!isOffline) return count ? n("shell.sending", count) : null;
  if (!count) return t("shell.offline");
  const memory = store.get("queueInMemory") && has("clock.connection.memory");
  return memory ? `${t("shell.offline")} ${t("clock.connection.memory")}` : n("shell.offlineKept", count);
}

/** Shows one alert right after an element; null takes it away. */
export function alertBeside(element, sentence) {
  const next = element.nextElementSibling;
  const shown = next?.classList.contains("alert") ? next : null;
  if (!sentence) shown?.remove();
  else if (shown) text(shown, sentence);
  else element.after(h("p", { class: "alert", role: "alert" }, sentence));
}

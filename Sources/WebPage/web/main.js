// Starts the page: language, shell, the person who is logged in, screens.
import { recall } from "./account.js";
import { startKeys } from "./keys.js";
import { startNotices } from "./notices.js";
import "./punches.js";
import { showIn, startRouter, takeInvitation } from "./router.js";
import { enter, select, speak, startSession } from "./session.js";
import { buildShell, message } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

/** Loads a module that the first screen does without, and calls its function of this name. */
const later = (load, name) => async () => {
  try {
    (await load())[name]();
  } catch {
    message(t("refusal.offline"));
  }
};

const actions = {
  showKeys: later(() => import("./keylist.js"), "showKeys"),
  signOut: later(() => import("./signout.js"), "signOut"),
  select,
};

const build = () => showIn(buildShell(actions));

async function start() {
  takeInvitation();
  await speak(recall("me")?.user.language);
  store.set("connection", navigator.onLine ? "ok" : "offline");
  build();
  store.on("language", build);
  startNotices();
  startRouter();
  startKeys(actions.showKeys);
  startSession();
  await enter();
  import("./worker.js").then(({ registerWorker }) => registerWorker(), () => {});
}

start();

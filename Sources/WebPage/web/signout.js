// Signing out: waiting punches are sent, or the person decides; then the log-in ends, and the device keeps nothing.
import { wipe } from "./account.js";
import { api } from "./api.js";
import { dialog } from "./dialog.js";
import { h } from "./h.js";
import * as live from "./live.js";
import { drained } from "./punches.js";
import { store } from "./store.js";
import { n, t } from "./words.js";

const PATIENCE = 5000;

export async function signOut() {
  const left = (store.get("queue") || []).length ? await drained(PATIENCE) : 0;
  const lost = left + (store.get("refused") || []).length;
  if (lost) ask(lost);
  else await end();
}

/** The person may lose punches that could not be sent, or were not accepted. */
function ask(lost) {
  dialog({
    title: t("shell.signOut"),
    content: h("p", null, n("shell.signOutLoses", lost)),
    actions: [{ label: t("shell.signOut"), kind: "danger", act: end }, { label: t("common.cancel") }],
  });
}

/** Without a connection the log-in ends on this device alone. */
async function end() {
  live.stop();
  await api.send("DELETE", "/v1/auth/token").catch(() => {});
  await wipe();
  location.replace("/");
}

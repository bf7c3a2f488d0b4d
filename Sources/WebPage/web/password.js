// A new password: of an invitation, in place of a one-time password, or because the person wants one.
import { CLIENT, recall, remember } from "./account.js";
import { api } from "./api.js";
import { complete, field, showError } from "./form.js";
import { attribute, h } from "./h.js";
import { dropInvitation } from "./router.js";
import { begin, enter } from "./session.js";
import { alertBeside, message } from "./shell.js";
import { t } from "./words.js";

export async function show(main, { invitation }) {
  const current = field({ label: t("login.currentPassword"), name: "currentPassword", type: "password", required: true,
    autocomplete: "current-password" });
  const next = field({ label: t("login.newPassword"), name: invitation ? "password" : "newPassword", type: "password",
    required: true, autocomplete: "new-password", hint: t("login.passwordHint") });
  const keep = field({ label: t("login.keep"), name: "keep", type: "checkbox" });
  const label = t(invitation ? "login.join" : "login.savePassword");
  const save = h("button", { type: "submit", class: "button button-primary" }, label);
  const actions = h("div", { class: "actions" }, save);
  const form = h("form", { novalidate: true, class: "stack narrow", on: { submit } },
    !invitation && current.element, next.element, invitation && keep.element, actions);
  const explain = !invitation && recall("mustChangePassword") && h("p", null, t("login.mustChange"));
  main.append(h("h1", null, t("login.setPassword")), ...(explain ? [explain] : []), form);

  const fields = () => (current.element.isConnected ? [current, next] : [next]);
  const fail = (sentence) => alertBeside(actions, sentence);

  async function submit(event) {
    event.preventDefault();
    if (save.ariaDisabled === "true") return;
    fail(null);
    if (!complete(fields())) return;
    attribute(save, "aria-disabled", "true");
    try {
      await (invitation ? join() : change());
    } catch (error) {
      if (error.code === "wrong_password" && !current.element.isConnected) askCurrent();
      else showError(fields(), error, fail);
    }
    attribute(save, "aria-disabled", null);
  }

  /** A person whose log-ins open another organization already is asked for the present password too. */
  function askCurrent() {
    form.prepend(current.element);
    fail(t("login.sayCurrent"));
    current.focus();
  }

  async function join() {
    const currentPassword = current.element.isConnected ? current.value : undefined;
    const body = { token: invitation, password: next.value, currentPassword, ...CLIENT };
    const { data } = await api.send("POST", "/v1/auth/invitation", body);
    dropInvitation();
    history.replaceState(null, "", "#/");
    await begin(data, keep.value);
  }

  async function change() {
    await api.send("PUT", "/v1/me/password", { currentPassword: current.value, newPassword: next.value });
    remember("mustChangePassword", undefined);
    if (location.hash.startsWith("#/password")) history.replaceState(null, "", "#/settings");
    await enter();
    message(t("common.saved"));
  }
  return { title: t("login.setPassword") };
}

// The log-in; also the screen of a person without an organization.
import { CLIENT, preference, setPreference } from "./account.js";
import { api } from "./api.js";
import { complete, field, showError } from "./form.js";
import { attribute, h } from "./h.js";
import { sentence } from "./refusals.js";
import { begin, enter } from "./session.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

export async function show(main, { nowhere, unreachable }) {
  if (unreachable) {
    const again = h("button", { type: "button", class: "button", on: { click: enter } }, t("common.again"));
    const alert = h("p", { class: "alert", role: "alert" }, sentence(unreachable));
    main.append(h("h1", null, t("shell.product")), alert, again);
    const timer = setTimeout(enter, (unreachable.retryAfter || 10) * 1000);
    return { title: t("shell.product"), stop: () => clearTimeout(timer) };
  }
  if (nowhere) {
    main.append(h("h1", null, t("shell.product")), ...elsewhere());
    return { title: t("shell.product") };
  }
  const email = field({
    label: t("login.email"), name: "email", type: "email", required: true, autocomplete: "username" });
  const password = field({
    label: t("login.password"), name: "password", type: "password", required: true, autocomplete: "current-password" });
  const keep = field({ label: t("login.keep"), name: "keep", type: "checkbox", value: preference("keep") === "yes" });
  const button = h("button", { type: "submit", class: "button button-primary" }, t("login.logIn"));
  const form = h("form", { novalidate: true, class: "stack narrow", on: { submit } },
    email.element, password.element, keep.element, h("div", { class: "actions" }, button));
  const heading = h("h1", null, t("login.logIn"));
  main.append(heading, form);
  const ended = store.get("signedOutSentence");
  if (ended) alertBeside(heading, ended);

  async function submit(event) {
    event.preventDefault();
    if (button.ariaDisabled === "true") return;
    alertBeside(button.parentNode, null);
    alertBeside(heading, null);
    if (!complete([email, password])) return;
    attribute(button, "aria-disabled", "true");
    try {
      const body = { email: email.value.trim(), password: password.value, ...CLIENT };
      const { data } = await api.send("POST", "/v1/auth/token", body);
      setPreference("keep", keep.value ? "yes" : null);
      await begin(data, keep.value);
    } catch (error) {
      showError([email, password], error, (sentence) => alertBeside(button.parentNode, sentence));
    }
    attribute(button, "aria-disabled", null);
  }
  return { title: t("login.logIn") };
}

/** Where organizations of the person are that have moved to another service; or that there are none. */
function elsewhere() {
  const moved = (store.get("me")?.memberships || []).filter(({ movedTo }) => movedTo);
  if (moved.length === 0) return [h("p", null, t("login.nowhere"))];
  return moved.map(({ organizationName, movedTo }) =>
    h("p", null, t("login.moved", { name: organizationName }), " ", h("a", { href: movedTo }, movedTo)));
}

// Settings: language, appearance and keys of this person on this device; the password; if one is signed in.
import { preference, setPreference } from "./account.js";
import { api } from "./api.js";
import { field, formDialog } from "./form.js";
import { h } from "./h.js";
import { logIns } from "./logins.js";
import { sentence } from "./refusals.js";
import { alertBeside, message } from "./shell.js";
import { store } from "./store.js";
import { language, languages, t } from "./words.js";

/** Whether the language was chosen just now: the screen is shown again, and focus goes back to the choice. */
let chosenHere = false;

export async function show(main, params, context) {
  const speech = field({
    label: t("time.language"), name: "language", type: "select", value: language(),
    options: languages.map((code) => ({ value: code, label: t(`time.language.${code}`) })),
  });
  const appearance = field({
    label: t("time.appearance"), name: "appearance", type: "radio", value: preference("appearance") ?? "system",
    options: ["system", "light", "dark"].map((value) => ({ value, label: t(`time.appearance.${value}`) })),
  });
  const shortcuts = field({
    label: t("time.shortcuts"), name: "shortcuts", type: "checkbox", value: preference("shortcuts") !== "off",
    hint: t("time.shortcutsHint"),
  });
  const change = h("button", { type: "button", class: "button", on: { click: () => changePassword(change) } },
    t("time.changePassword"));
  const places = logIns();

  speech.input.addEventListener("change", () => speak(speech, context));
  appearance.input.addEventListener("change", () => {
    setPreference("appearance", appearance.value === "system" ? null : appearance.value);
  });
  shortcuts.input.addEventListener("change", () => setPreference("shortcuts", shortcuts.value ? null : "off"));

  const { user } = context.me;
  main.append(h("h1", { text: t("time.settings") }), h("p", { class: "soft" }, `${user.name} · ${user.email}`),
    h("section", { class: "stack" }, speech.element, appearance.element, shortcuts.element),
    h("section", { class: "stack" }, h("h2", { text: t("time.password") }), h("div", null, change)),
    places.element);
  await places.load();
  if (chosenHere && main.contains(speech.element)) speech.focus();
  chosenHere = false;
  return { title: t("time.settings"), stop: places.stop };
}

/** The service keeps the choice if it knows a person's language, and so does the device. */
async function speak(choice, context) {
  const code = choice.value;
  alertBeside(choice.element, null);
  try {
    if ("language" in context.me.user) {
      const { data } = await api.send("PATCH", "/v1/me", { language: code });
      store.get("me").user.language = data.user.language;
    }
  } catch (error) {
    choice.value = language();
    alertBeside(choice.element, sentence(error));
    return;
  }
  setPreference("language", code);
  chosenHere = true;
  if (store.heard("languageChosen")) store.emit("languageChosen", code);
  else location.reload();
}

function changePassword(opener) {
  const current = field({ label: t("time.currentPassword"), name: "currentPassword", type: "password", required: true,
    autocomplete: "current-password" });
  const next = field({ label: t("time.newPassword"), name: "newPassword", type: "password", required: true,
    autocomplete: "new-password", hint: t("time.passwordHint") });
  const places = { wrong_password: current, invalid_password: next, password_too_common: next };
  formDialog({
    title: t("time.changePassword"), fields: [current, next], saveLabel: t("time.savePassword"), opener,
    async save(values) {
      try {
        await api.send("PUT", "/v1/me/password", values);
      } catch (error) {
        const place = places[error.code];
        if (!place) throw error;
        place.fail(sentence(error), true);
        place.focus();
        return false;
      }
      message(t("time.passwordChanged"));
      store.emit("logIns");
    },
  });
}

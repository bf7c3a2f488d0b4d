// The dialog "Keyboard Shortcuts": the keys of the screen and those of every screen.
import { preference } from "./account.js";
import { dialog } from "./dialog.js";
import { h } from "./h.js";
import { bindings, places } from "./keys.js";
import { t } from "./words.js";

const row = (keys, description) =>
  h("div", null, h("dt", null, keys.map((key) => h("kbd", null, key))), h("dd", null, description));

export function showKeys() {
  dialog({
    title: t("shell.keys"),
    content: [
      preference("shortcuts") === "off" && h("p", null, t("shell.keysOff")),
      h("dl", { class: "keys" },
        bindings().map(([letter, description]) => row([letter], t(description))),
        places().map(([letter, name]) => row(["g", letter], t(`shell.nav.${name}`))),
        row(["?"], t("shell.keys"))),
    ],
    actions: [{ label: t("common.close") }],
  });
}

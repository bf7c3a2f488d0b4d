// Dialogs: modal, named by their heading, with one alert inside; focus returns to their opener.
import { focusHeading } from "./focus.js";
import { attribute, h, text } from "./h.js";
import { sentence } from "./refusals.js";

let count = 0;

/**
 * Opens a dialog. `actions`: `{label, kind, act}`; `act` may be async; a thrown error is shown inside, false keeps the
 * dialog open. The first primary or danger action is that of the Enter key in a field.
 */
export function dialog({ title, content = [], actions = [], opener = document.activeElement, onClose }) {
  const id = `dialog-${++count}`;
  const alert = h("div", { class: "alert-room" });
  const submitting = actions.find(({ kind }) => kind === "primary" || kind === "danger");
  const buttons = actions.map((action) => button(action, action === submitting ? null : () => run(action)));
  const form = h("form", { novalidate: true, class: "stack", on: { submit } },
    h("h2", { id, tabindex: -1 }, title), content, alert, h("div", { class: "actions" }, buttons));
  const element = h("dialog", { class: "dialog", "aria-labelledby": id, on: { close: closed } }, form);
  let isBusy = false;

  function submit(event) {
    event.preventDefault();
    if (submitting) run(submitting);
  }
  async function run({ act }) {
    if (isBusy) return;
    setBusy(true);
    fail(null);
    try {
      if ((act ? await act() : true) !== false) close();
    } catch (error) {
      fail(sentence(error));
    } finally {
      setBusy(false);
    }
  }
  function setBusy(value) {
    isBusy = value;
    for (const button of buttons) attribute(button, "aria-disabled", value && "true");
  }
  /** Shows a sentence as the alert; null takes it away. */
  function fail(sentence) {
    const shown = alert.firstChild;
    if (!sentence) shown?.remove();
    else if (shown) text(shown, sentence);
    else alert.append(h("p", { class: "alert", role: "alert" }, sentence));
  }
  function close() {
    if (element.open) element.close();
  }
  function closed() {
    element.remove();
    if (opener?.isConnected && opener !== document.body) opener.focus();
    else focusHeading(document.querySelector("main"));
    onClose?.();
  }

  document.body.append(element);
  element.showModal();
  const plain = buttons[actions.findIndex(({ kind }) => !kind || kind === "plain")];
  (form.querySelector("input, select, textarea") || plain || form.querySelector("h2")).focus();
  return { element, close, fail };
}

/** The button that submits needs no listener: the form's is enough. */
function button({ label, kind = "plain" }, press) {
  const style = kind === "plain" ? "button" : `button button-${kind}`;
  return h("button", { type: press ? "button" : "submit", class: style, on: press ? { click: press } : {} }, label);
}

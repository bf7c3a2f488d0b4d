// The last deliveries of a webhook: time, message and the receiver's answer.
import { api, org } from "./api.js";
import { actOn, columns } from "./admin_names.js";
import { moment } from "./admin_parts.js";
import { dialog } from "./dialog.js";
import { h } from "./h.js";
import { table } from "./table.js";
import { t } from "./words.js";

/** The outcome of an attempt, in a sentence. */
export function deliveryText({ status, error, durationMilliseconds }) {
  if (!error) return t("admin.delivery.taken", { status, milliseconds: durationMilliseconds });
  return t("admin.delivery.failed", { why: error });
}

function cell(delivery, key) {
  if (key === "when") return moment(delivery.time);
  const { sequence } = delivery;
  if (key === "what") return sequence ? t("admin.delivery.change", { number: sequence }) : t("admin.ping");
  return h("span", { class: delivery.error && "state-out", text: deliveryText(delivery) });
}

/** Reads the last twenty and shows them. */
export async function showDeliveries(webhook, opener) {
  const { data } = await api.get(org(`/webhooks/${webhook.id}/deliveries`), { limit: 20 });
  const view = table({
    label: t("admin.deliveries"), rowHeader: "when", rows: data.deliveries, cell,
    keyOf: (delivery) => `${delivery.time} ${delivery.sequence}`,
    columns: columns("when", "what", "answer"),
  });
  dialog({
    title: actOn(t("admin.deliveries"), webhook.url), opener,
    content: data.deliveries.length ? view.element : h("p", { class: "soft", text: t("admin.empty") }),
    actions: [{ label: t("common.close") }],
  });
}

// Admin: the navigation among its sections and the section that the address names. For admins alone.
import { h } from "./h.js";
import { href, navigate } from "./router.js";
import { addWords, t } from "./words.js";

const SECTIONS = {
  members: () => import("./admin_members.js"),
  invitations: () => import("./admin_invitations.js"),
  breaks: () => import("./admin_breaks.js"),
  projects: () => import("./admin_projects.js"),
  policy: () => import("./admin_policy.js"),
  tokens: () => import("./admin_tokens.js"),
  webhooks: () => import("./admin_webhooks.js"),
  audit: () => import("./admin_audit.js"),
};

/** The links; kiosks join them when there are kiosks. */
function navigation(current) {
  const link = (name) =>
    h("a", { href: href(`admin/${name}`), "aria-current": name === current && "page", text: t(`admin.${name}`) });
  return h("nav", { class: "admin-sections", "aria-label": t("admin.navigation") },
    h("ul", {}, Object.keys(SECTIONS).map((name) => h("li", {}, link(name)))));
}

/** Shows the section of `params.section`; an address without one, or with another, shows the members. */
export async function show(main, params, context) {
  if (context.role !== "admin") {
    navigate("#/clock");
    return { title: "" };
  }
  await addWords("admin");
  const name = Object.hasOwn(SECTIONS, params.section || "") ? params.section : "members";
  const title = t(`admin.${name}`);
  const body = h("div", { class: "stack admin" });
  main.append(h("h1", { text: title }), navigation(name), body);
  const { section } = await SECTIONS[name]();
  const { stop } = await section(body, context);
  return { title, stop };
}

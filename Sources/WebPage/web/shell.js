// The frame around every screen: banner, navigation, the account's menu; and the window's title.
import { focusHeading } from "./focus.js";
import { attribute, h, icon } from "./h.js";
import { keyed } from "./list.js";
import { menu } from "./menu.js";
import { notices } from "./notices.js";
import { store } from "./store.js";
import { t } from "./words.js";

export { alertBeside, message, stay } from "./notices.js";

const MANAGER = ["board", "timesheets", "plan", "clock", "time", "history"];
const LINKS = { member: ["clock", "time", "history"], manager: MANAGER, admin: [...MANAGER, "admin"] };

/** The link that is marked on screens that have none of their own. */
const PARENTS = { week: "history", people: "timesheets" };

let main;
let brand;
let account;
let nav;
let select;
let title = "";

/** Builds the shell in the language of the moment; returns `main`. `actions`: those of the menus. */
export function buildShell(actions) {
  select = actions.select;
  main = h("main", { id: "main" });
  brand = h("div", { class: "brand" });
  account = menu({
    button: h("button", { type: "button", class: "button" }, icon("person"), t("shell.account")),
    label: t("shell.account"),
    items: () => [
      { label: t("shell.settings"), href: "#/settings" },
      { label: t("shell.keys"), act: actions.showKeys },
      { label: t("shell.signOut"), act: actions.signOut },
    ],
  }).element;
  nav = h("nav", { "aria-label": t("shell.main") });
  const skip = h("a", { class: "skip", href: "#main", on: { click: skipToContent } }, t("shell.skip"));
  const banner = h("header", { class: "banner" }, h("div", { class: "banner-row" }, brand, account), nav);
  document.body.replaceChildren(skip, banner, notices(), main);
  showPerson();
  return main;
}

function skipToContent(event) {
  event.preventDefault();
  focusHeading(main);
  main.scrollIntoView();
}

/** Shows the banner and the links of the person who is logged in, or of nobody. */
export function showPerson() {
  const role = store.get("membership")?.role;
  const links = role ? LINKS[role] || LINKS.member : [];
  account.hidden = !store.get("me");
  nav.hidden = links.length === 0;
  keyed(nav, links, (name) => name, (name) => h("a", { href: `#/${name}` }, t(`shell.nav.${name}`)));
  showBrand();
  retitle();
}

const organizationName = () =>
  store.get("organization")?.name || store.get("membership")?.organizationName || t("shell.product");

/** The organization's name; with several of them a menu. */
function showBrand() {
  const memberships = store.get("memberships") || [];
  const name = organizationName();
  const label = t("shell.organization");
  const known = `${memberships.length > 1} ${name} ${label}`;
  if (brand.known === known) return;
  brand.known = known;
  if (memberships.length < 2) {
    brand.replaceChildren(h("span", { class: "brand-name" }, name));
    return;
  }
  const button = h("button", { type: "button", class: "button brand-name", "aria-label": `${label}: ${name}` }, name);
  const items = () => store.get("memberships").map(({ organizationName, organizationID }) => ({
    label: organizationName,
    checked: organizationID === store.get("membership").organizationID,
    act: () => select(organizationID),
  }));
  brand.replaceChildren(menu({ button, label, items }).element);
}

/** Marks the link of the screen that is shown. */
export function markLink(name) {
  const marked = `#/${PARENTS[name] || name}`;
  for (const link of nav.children) attribute(link, "aria-current", link.getAttribute("href") === marked && "page");
}

/** Sets the beginning of the window's title. */
export function setTitle(text) {
  title = text;
  retitle();
}

function retitle() {
  const name = organizationName();
  const next = title && title !== name ? `${title} — ${name}` : name;
  if (document.title !== next) document.title = next;
}

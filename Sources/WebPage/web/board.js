// Board: members who are in, since when and with which activity, by the stream; forgotten clock-outs; members who are
// out. For managers.
import { clockedIn, clockedOut } from "./boardrows.js";
import { clockOutDialog } from "./clockout.js";
import { firstSteps } from "./firststeps.js";
import { forgottenRegion } from "./forgotten.js";
import { h, text } from "./h.js";
import { more, nameSearch } from "./more.js";
import { sentence } from "./refusals.js";
import { Roster } from "./roster.js";
import { now } from "./servertime.js";
import { alertBeside } from "./shell.js";
import { store } from "./store.js";
import { t } from "./words.js";

const PART = 100;

export async function show(main, params, context) {
  const roster = new Roster(render);
  const { people, purposes } = roster;
  let loaded = false;
  let failed = false;
  const isForgotten = (person) => people.forgotten(person, now(), store.get("organization").policy.maximumSeconds);
  const onClockOut = (person, button) => clockOutDialog({ person, forgotten: isForgotten(person), opener: button,
    done: (entry) => roster.take(entry) });

  const heading = h("h1", { tabindex: "-1", text: t("manager.board") });
  const steps = firstSteps(people, context.role);
  const forgotten = forgottenRegion(onClockOut);
  const search = nameSearch(render);
  const ins = part("clockedIn", "nobodyIn", clockedIn({ people, purposes, forgotten: isForgotten, onClockOut }));
  const outs = part("clockedOut", "nobodyOut", clockedOut({ people }));
  main.append(heading, steps.element, forgotten.element, search.element, ins.section, outs.section);

  /** A heading with the count, the rows, "Show More", and a sentence if there are none. */
  function part(name, none, rows) {
    const count = h("span", { class: "soft" });
    const empty = h("p", { class: "soft", hidden: true, text: t(`manager.${none}`) });
    const rest = more(PART, render);
    const title = h("h2", { tabindex: "-1" }, t(`manager.${name}`), " ", count);
    const section = h("section", { class: "stack" }, title, rows.element, empty, rest.element);
    const update = (all) => {
      const found = all.filter((person) => search.matches(person.name));
      rows.update(rest.part(found));
      text(count, loaded ? `– ${all.length}` : "");
      text(empty, t(all.length ? "common.nothing" : `manager.${none}`));
      empty.hidden = !loaded || found.length > 0;
      rows.element.hidden = found.length === 0;
    };
    return { section, title, rows, update };
  }

  function render() {
    const focused = document.activeElement;
    search.show(people.people.size);
    forgotten.update(people.in().filter(isForgotten));
    ins.update(people.in());
    outs.update(people.out());
    steps.update();
    // The focused row is gone: focus goes to the heading of its list.
    if (focused !== document.activeElement && document.activeElement === document.body) ins.title.focus();
  }

  let due = "";
  function tick() {
    if (document.hidden || !loaded) return;
    roster.tick();
    ins.rows.tick();
    const names = people.in().filter(isForgotten).map((person) => person.userId).join(" ");
    if (names !== due) render();
    due = names;
  }

  async function load() {
    failed = false;
    try {
      await roster.load();
      loaded = true;
      alertBeside(heading, null);
      render();
      await steps.load();
    } catch (error) {
      failed = true;
      alertBeside(heading, sentence(error));
    }
  }

  const off = store.on("connection", (state) => state === "ok" && failed && load());
  const unbind = search.key();
  const timer = setInterval(tick, 1000);
  await load();
  return {
    title: t("manager.board"),
    stop() {
      clearInterval(timer);
      off();
      unbind();
      roster.stop();
      steps.stop();
    },
  };
}

#!/usr/bin/env python3
"""Faults planted in the page, each of which the check that is for it has to find.

usage: page_faults.py --self-check
"""

import tempfile

from kit import python_packages

python_packages.enter("page")

from playwright import sync_api  # noqa: E402

import page_flows  # noqa: E402
import page_light  # noqa: E402
import page_managers  # noqa: E402
import page_offline  # noqa: E402
from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402
from page_screens import check_screen, shown  # noqa: E402

MEMBER = "mia@example.com"


def looks_at_the_clock(site, chromium):
    visitor = site.visit(chromium)
    visitor.go()
    visitor.sees("heading", "Log In")
    visitor.check_rules("log-in")
    visitor.log_in(MEMBER)
    visitor.sees("button", "Clock In")
    shown(visitor, "clock")
    check_screen(visitor, "clock", "clock")
    visitor.leave()


def signs_out(site, chromium):
    visitor = site.visit(chromium)
    visitor.log_in(MEMBER, keeps=True)
    visitor.sees("button", "Clock In")
    page_flows.signs_out(visitor)


# The fault, the file, a text that stands in it once, as it is sent, another one in its place, and the check.
FAULTS = [
    (
        "text goes in as markup",
        "h.js",
        'if (name === "text") element.textContent = value;',
        'if (name === "text") element.innerHTML = value;',
        looks_at_the_clock,
    ),
    (
        "seconds by the device's clock",
        "servertime.js",
        "best.server + performance.now() - best.receivedAt",
        "Date.now()",
        page_offline.shows_the_service_s_time,
    ),
    ("a field without a label", "form.js", "{ for: id }", "null", looks_at_the_clock),
    (
        "a request to another origin",
        "main.js",
        "async function start() {",
        'async function start() {\nfetch("https://example.com/").catch(() => {});',
        looks_at_the_clock,
    ),
    (
        "a token that stays",
        "account.js",
        "localStorage.clear();",
        'const former = localStorage.getItem(KEY);\nlocalStorage.clear();\nlocalStorage.setItem("timeclock.former", former);',
        signs_out,
    ),
    (
        "pale text",
        "page.css",
        "--ink: #16181D; --soft: #565D6D;",
        "--ink: #16181D; --soft: #9AA0AC;",
        looks_at_the_clock,
    ),
    (
        "a new id for each attempt",
        "delivery.js",
        "{ punches: batch.map(wire) }",
        "{ punches: batch.map((punch) => ({ ...wire(punch), id: crypto.randomUUID() })) }",
        page_offline.loses_an_answer,
    ),
    (
        "a stream that nobody listens to",
        "live.js",
        'else if (fields.event === "change") change(data);',
        'else if (fields.event === "change") return;',
        page_managers.watches,
    ),
    (
        "a dialog that gives no focus back",
        "dialog.js",
        "opener.focus();",
        "document.activeElement.blur();",
        page_flows.keeps_focus,
    ),
    (
        "an element more each second",
        "clockhead.js",
        "text(shown, `${stopwatch(session)} (${stopwatch(daily)})`);",
        'text(shown, `${stopwatch(session)} (${stopwatch(daily)})`);\ntimer.append(document.createElement("i"));',
        page_light.stays_as_large,
    ),
    (
        "a button that moves with the seconds",
        "clockhead.js",
        "text(shown, `${stopwatch(session)} (${stopwatch(daily)})`);",
        "text(shown, `${stopwatch(session)} (${stopwatch(daily)})`);\n"
        'button.style.marginTop = session % 2 ? "0px" : "40px";',
        page_light.is_quiet,
    ),
]


def found(site, chromium, check):
    """The first line of the check's complaint; None if it has none."""
    try:
        check(site, chromium)
    except (SystemExit, AssertionError, sync_api.Error) as fault:
        return str(fault).splitlines()[0]
    return None


def run(chromium, check, fault=None):
    """The check's complaint about a page with the fault (file, text, other text), or about one without that is given alike."""
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site:
        if check is page_light.stays_as_large:
            site.program(MEMBER).ask("POST", "timeEntries/clockIn", {}, expected=201)
        site.plant(*(fault or ("theme.js", "dataset.compact", "dataset.compact")))
        return found(site, chromium, check)


def main():
    with browser.started() as chromium:
        for check in dict.fromkeys(check for *_, check in FAULTS):
            said = run(chromium, check)
            expect(said is None, f"{check.__name__} without a fault", said)
        for what, *fault, check in FAULTS:
            said = run(chromium, check, fault)
            expect(said is not None, f"nobody found {what}")
            print(f"{what}: {said[:110]}", flush=True)


if __name__ == "__main__":
    main()

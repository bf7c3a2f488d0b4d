#!/usr/bin/env python3
"""Every screen of each role can be used by assistive technology, in both appearances, and in a narrow window.

WCAG 2.2 AA as far as axe-core checks it, one heading of level 1, and no sideways scrolling at 320 px.

usage: page_screens.py [--all]   (at other widths too, and in German)
"""

import argparse
import tempfile

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402

OWN = ["clock", "time", "history", "week", "settings"]
TEAM = ["board", "timesheets", "plan"]
ADMIN = [
    f"admin/{name}"
    for name in ("members", "invitations", "breaks", "projects", "policy", "tokens", "webhooks", "audit")
]
PEOPLE = {"mia@example.com": OWN, "noa@example.com": TEAM, "demo@example.com": ADMIN}


def shown(visitor, screen):
    """Goes to a screen by its address, and waits for the answers to its requests."""
    visitor.page.evaluate("screen => { location.hash = '#/' + screen; }", screen)
    loaded(visitor, screen)


def loaded(visitor, screen):
    busy = "main[aria-busy=true], main [aria-busy=true], main:not(:has(h1))"
    visitor.waits(lambda: visitor.page.locator(busy).count() == 0, f"{screen} is there")
    visitor.page.wait_for_timeout(300)


def check_screen(visitor, screen, what):
    headings = visitor.page.locator("h1").count()
    expect(headings == 1, f"{what}: one heading of level 1", headings)
    visitor.check_rules(what)


def looks_right(site, chromium):
    for scheme in ("light", "dark"):
        for email, screens in PEOPLE.items():
            visitor = site.visit(chromium, color_scheme=scheme)
            visitor.log_in(email)
            visitor.sees("navigation", "Main")
            for screen in screens:
                shown(visitor, screen)
                check_screen(visitor, screen, f"{screen}, {scheme}")
            visitor.leave()


def fits(site, chromium, width, **options):
    for email, screens in PEOPLE.items():
        visitor = site.visit(chromium, viewport={"width": width, "height": 640}, **options)
        visitor.log_in(email)
        visitor.page.get_by_role("navigation").first.wait_for()
        for screen in screens:
            shown(visitor, screen)
            wide = visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            expect(wide <= 0, f"{screen} at {width} px scrolls sideways", wide)
        visitor.leave()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    is_whole = parser.parse_args().all
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        looks_right(site, chromium)
        fits(site, chromium, 320)
        if is_whole:
            for width in (320, 390, 768):
                fits(site, chromium, width, locale="de-DE")
    count = sum(map(len, PEOPLE.values()))
    print(f"page screens: {count} of them in both appearances and at 320 px")


if __name__ == "__main__":
    main()

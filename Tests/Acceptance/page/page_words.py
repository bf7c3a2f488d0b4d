#!/usr/bin/env python3
"""Every word that the page shows is of the chosen language: outside of the pseudo-language's brackets stands data alone.

Screens and dialogs of each role, names for assistive technology included.
"""

import re
import tempfile

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402
from page_screens import PEOPLE, loaded, shown  # noqa: E402

# Texts that a person reads or hears, and the names and hints in attributes.
TEXTS = r"""() => {
  const found = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const isZone = element.matches("option") && /^[A-Z]\w+\//.test(element.text);
    if (!isZone && !element.closest("noscript, kbd, [hidden], [lang]:not(html)")) found.push(walker.currentNode.data);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) found.push(element.getAttribute(name) || "");
  }
  return found;
}"""
BRACKETS = re.compile(r"⟦[^⟦⟧]*⟧")
# Dates, times and durations are written by the browser, in English here.
WRITTEN = re.compile(
    r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Jan|Feb|Mar|Apr|May|Jun|Jul"
    r"|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December|AM|PM"
    r"|UTC|\d+(h|m|s|kB|MB))\b"
)
OPENED = {
    "time": ["Add Entry"],
    "settings": ["Change Password"],
    "timesheets": ["Export"],
    "plan": ["Add Session"],
    "admin/members": ["Add Member"],
    "admin/breaks": ["Add Break Type"],
    "admin/projects": ["Add Project"],
    "admin/tokens": ["Add API Token"],
    "admin/webhooks": ["Add Webhook"],
}


def data_of(site):
    """Words that are the organization's own, as a pattern."""
    admin = site.program()
    texts = [admin.ask("GET", f"/v1/organizations/{site.demo['organizationID']}")["name"], browser.ZONE]
    for name, fields in {
        "members": ("name", "email"),
        "projects": ("name", "client"),
        "breakTypes": ("name",),
        "sessions": ("title", "location"),
        "timeEntries": ("notes",),
    }.items():
        for record in admin.ask("GET", f"{name}?limit=100")[name]:
            texts += [record.get(field) for field in fields]
    # The log and the webhooks name things of the API.
    for change in admin.ask("GET", "auditLog?limit=200")["changes"]:
        texts += [change["operation"], *words(change["before"]), *words(change["after"]), change["reason"]]
    known = sorted({text for text in texts if text}, key=len, reverse=True)
    return re.compile(r"(?<!\w)(" + "|".join(map(re.escape, known)) + r")(?!\w)")


def words(value):
    if isinstance(value, dict):
        return [*value, *(word for part in value.values() for word in words(part))]
    if isinstance(value, list):
        return [word for part in value for word in words(part)]
    return [value] if isinstance(value, str) else []


def outside(text, data):
    """The letters that stand in no bracket and are no data; brackets may stand in brackets."""
    while BRACKETS.search(text):
        text = BRACKETS.sub(" ", text)
    return re.sub(r"[\W\d_]+", " ", data.sub(" ", WRITTEN.sub(" ", text))).strip()


def check(visitor, data, what):
    found = {left for left in (outside(text, data) for text in visitor.page.evaluate(TEXTS)) if left}
    expect(not found, f"{what}: words outside of the brackets", sorted(found)[:20])


def brackets_everything(site, chromium):
    data, count = data_of(site), 0
    for email, screens in PEOPLE.items():
        visitor = site.visit(chromium)
        visitor.go("?language=xx")
        loaded(visitor, "log-in")
        check(visitor, data, "log-in")
        visitor.page.locator("input[type=email]").fill(email)
        visitor.page.locator("input[type=password]").fill(site.demo["password"])
        visitor.page.locator("button[type=submit]").click()
        visitor.page.get_by_role("navigation").first.wait_for()
        for screen in screens:
            shown(visitor, screen)
            check(visitor, data, screen)
            count += 1
            for name in OPENED.get(screen, []):
                visitor.press(f"⟦{name}⟧")
                visitor.page.get_by_role("dialog").wait_for()
                check(visitor, data, f"{screen}, {name}")
                visitor.page.keyboard.press("Escape")
                visitor.page.get_by_role("dialog").wait_for(state="detached")
        visitor.page.keyboard.press("?")
        visitor.page.get_by_role("dialog").wait_for()
        check(visitor, data, "keys")
        visitor.leave()
    return count


def main():
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        count = brackets_everything(site, chromium)
    print(f"page words: {count} screens and their dialogs have no text of their own")


if __name__ == "__main__":
    main()

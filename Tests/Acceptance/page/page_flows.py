#!/usr/bin/env python3
"""People use the page: a member works a day and takes presses back, a manager watches and corrects, strangers see nothing.

Roles and names are those that assistive technology has, in English.
"""

import re
import tempfile

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402

MEMBER, MANAGER, OTHER = "mia@example.com", "noa@example.com", "ivo@example.com"
HOSTILE = "<img src=x onerror=document.title='run'> & co"
# Paths that a member's page must not ask for.
OF_MANAGERS = re.compile(r"/(presence|members|reports|apiTokens|webhooks|auditLog|invitations|reminders)\b")


def works_a_day(site, chromium):
    visitor, program = site.visit(chromium), site.program(MEMBER)
    visitor.go()
    visitor.sees("heading", "Log In")
    visitor.find("textbox", "Email").fill(MEMBER)
    visitor.find("textbox", "Password").fill("not the password")
    visitor.press("Log In")
    visitor.sees("alert", text="The email or the password is wrong.")
    visitor.log_in(MEMBER)
    visitor.sees("status", "Clock status", "Clocked Out")

    visitor.press("Clock In")
    visitor.sees("status", "Clock status", "Clocked In")
    visitor.sees("status", "Message", "Clocked in at")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-in", "the service knows")
    entry = program.ask("GET", "timeEntries/current")["timeEntry"]
    expect(entry["source"] == "web", "the source of the entry", entry)
    visitor.press("Undo")
    visitor.sees("status", "Clock status", "Clocked Out")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", "it is taken back")
    program.ask("GET", f"timeEntries/{entry['id']}", expected=404)

    visitor.press("Clock In")
    visitor.press("Start Orchard")
    visitor.sees("button", "Stop Orchard")
    visitor.press("Start Break")
    visitor.sees("status", "Clock status", "On Break")
    visitor.press("End Break")
    visitor.sees("status", "Clock status", "Clocked In")
    visitor.sees("button", "Stop Orchard")
    visitor.press("Clock Out")
    visitor.sees("status", "Clock status", "Clocked Out")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", "the service knows")
    visitor.press("Undo")
    visitor.sees("button", "Stop Orchard")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-in", "what was is again")
    visitor.press("Clock Out")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", "the service knows")

    visitor.go("#/board")
    visitor.sees("status", "Clock status")
    asked = [request.url for request in visitor.requests if OF_MANAGERS.search(request.url)]
    expect(not asked, "a member asks for what is a manager's", asked)
    signs_out(visitor)


def signs_out(visitor):
    token = visitor.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    expect("Mia" in token or "token" in token.lower(), "the log-in is kept", token)
    visitor.press("Account")
    visitor.find("menuitem", "Sign Out").click()
    visitor.sees("heading", "Log In")
    kept = visitor.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    expect("Mia" not in kept and "oken" not in kept and "mia@" not in kept, "what stays after signing out", kept)
    visitor.leave()


def watches_and_corrects(site, chromium):
    manager, program = site.visit(chromium), site.program(OTHER)
    manager.log_in(MANAGER)
    manager.sees("heading", "Board")
    program.ask("POST", "timeEntries/clockIn", {"notes": HOSTILE}, expected=201)
    board = manager.find("table", "Clocked In")
    browser.sync_api.expect(board.get_by_role("row").filter(has_text="Ivo Sand")).to_be_visible(timeout=2_000)
    manager.press("Clock out Ivo Sand")
    dialog = manager.find("dialog", "Clock out Ivo Sand")
    manager.press("Cancel", dialog)
    program.ask("POST", "timeEntries/clockOut")
    browser.sync_api.expect(board.get_by_role("row").filter(has_text="Ivo Sand")).to_have_count(0, timeout=2_000)

    manager.go("#/timesheets")
    manager.sees("table", "Timesheet")
    manager.sees("rowheader", "Ivo Sand")
    manager.leave()


def is_no_place_for_markup(site, chromium):
    """Names and notes of hostile HTML stand as text, on a member's screen and on the board."""
    admin = site.program()
    project = admin.ask("POST", "projects", {"name": HOSTILE}, expected=201)
    visitor = site.visit(chromium)
    visitor.log_in(MEMBER)
    visitor.press(f"Start {project['name']}")
    visitor.find("textbox", "Notes").fill(HOSTILE)
    visitor.press("Save Notes")
    visitor.sees("status", "Message", "Saved.")
    visitor.go("#/time")
    visitor.sees("listitem", text="onerror=document.title")
    board = site.visit(chromium)
    board.log_in(MANAGER)
    board.sees("table", "Clocked In", "onerror=document.title")
    for one in (visitor, board):
        expect(one.page.locator("img").count() == 0, "markup of a name becomes an element")
    visitor.go("#/clock")
    visitor.press("Clock Out")
    visitor.sees("status", "Clock status", "Clocked Out")
    visitor.leave()
    board.leave()


def sets_up(site, chromium):
    """An admin adds a break type, a project and a member, and changes each."""
    admin, program = site.visit(chromium), site.program()
    admin.log_in(browser.ADMIN)
    admin.sees("heading", "Board")
    kinds = [
        ("breaks", "Break Type", "breakTypes", {"Name": "Coffee"}),
        ("projects", "Project", "projects", {"Name": "Harvest"}),
        ("members", "Member", "members", {"Name": "Lea Roth", "Email": "lea@example.com"}),
    ]
    for screen, kind, place, texts in kinds:
        admin.go(f"#/admin/{screen}")
        admin.press(f"Add {kind}")
        dialog = admin.find("dialog", f"Add {kind}")
        for name, text in texts.items():
            admin.find("textbox", name, dialog).fill(text)
        admin.press("Save", dialog)
        admin.sees("status", "Message", "Saved.")
        name = texts["Name"]
        admin.press(f"Edit {name}")
        dialog = admin.find("dialog", f"Edit {name}")
        admin.find("textbox", "Name", dialog).fill(f"{name} Two")
        admin.press("Save", dialog)
        admin.sees("button", f"Edit {name} Two")
        names = [one["name"] for one in program.ask("GET", f"{place}?limit=100")[place]]
        expect(f"{name} Two" in names and name not in names, f"{place} as they were set up", names)
    admin.leave()


def speaks_german_by_keyboard(site, chromium):
    """From log-in to clock-out without a mouse, on a phone, in German."""
    visitor = site.visit(chromium, locale="de-DE", viewport={"width": 390, "height": 844})
    visitor.go()
    page = visitor.page
    browser.sync_api.expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("input[type=email]").focus()
    page.keyboard.type(OTHER)
    page.keyboard.press("Tab")
    page.keyboard.type(site.demo["password"])
    page.keyboard.press("Enter")
    status = page.get_by_role("timer")
    browser.sync_api.expect(status).to_be_visible()
    page.keyboard.press("i")
    program = site.program(OTHER)
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-in", "i clocks in")
    page.keyboard.press("o")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", "o clocks out")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    expect(wide <= 0, "the page scrolls sideways", wide)
    visitor.leave()


def main():
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        for check in (works_a_day, watches_and_corrects, is_no_place_for_markup, sets_up, speaks_german_by_keyboard):
            check(site, chromium)
        site.service.stop()
        site.service.verify()
    print(
        "page: a day, presses taken back, a board within 2 s, markup as text, an admin's set-up, by keyboard in German"
    )


if __name__ == "__main__":
    main()

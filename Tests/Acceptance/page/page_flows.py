#!/usr/bin/env python3
"""Members use the page: they work a day, take presses back, go by keyboard, and see nothing of a manager's.

Roles and names are those that assistive technology has, in English.
"""

import re
import tempfile

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402

MEMBER, MANAGER, OTHER = "mia@example.com", "noa@example.com", "ivo@example.com"
# In points.
SHEETS = {"A4": (595, 842), "Letter": (612, 792)}
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


def says_where_its_organization_is(site, chromium):
    """Somebody whose only organization has moved to another service sees its address, as the service says it."""
    address = "https://two.clock.example.com"
    visitor = site.visit(chromium)

    def moved(route):
        me = route.fetch().json()
        for membership in me["memberships"]:
            membership |= {"active": False, "movedTo": address}
        route.fulfill(json=me)

    visitor.context.route("**/v1/me?*", moved)
    visitor.go()
    visitor.find("textbox", "Email").fill(MEMBER)
    visitor.find("textbox", "Password").fill(site.demo["password"])
    visitor.press("Log In")
    link = visitor.find("link", address)
    browser.sync_api.expect(link).to_have_attribute("href", address)
    visitor.sees("paragraph", text="is now at another address")
    visitor.leave()


def takes_back_in_two_windows(site, chromium):
    """Each press is seen in another window, and its undo restores the former state, in both."""
    one, other, program = site.visit(chromium), site.visit(chromium), site.program(MEMBER)
    for window in (one, other):
        window.log_in(MEMBER)
        window.sees("status", "Clock status", "Clocked Out")

    def state():
        """The running entry and segment, by their ids and begins."""
        clock = program.ask("GET", "clock")
        return [part and (part["id"], part.get("startTime")) for part in (clock["timeEntry"], clock["segment"])]

    for button, shown, back in [
        ("Clock In", "Clocked In", "Clocked Out"),
        ("Start Orchard", "Clocked In", "Clocked In"),
        ("Start Break", "On Break", "Clocked In"),
        ("Clock Out", "Clocked Out", "Clocked In"),
    ]:
        before = state()
        one.press(button)
        other.sees("status", "Clock status", shown)
        one.waits(lambda: state() != before, f"{button} is kept")
        one.press("Undo")
        one.sees("status", "Message", "Undone.")
        one.waits(lambda: state() == before, f"{button} is taken back")
        for window in (one, other):
            window.sees("status", "Clock status", back)
        one.press(button)
        one.waits(lambda: state() != before, f"{button} is kept again")
        if button == "Start Break":
            one.press("End Break")
            other.sees("status", "Clock status", "Clocked In")
            other.sees("button", "Stop Orchard")
    one.leave()
    other.leave()


def saves_notes_of_what_is_on_its_way(site, chromium):
    """Notes that are saved before the clock-in has been answered, and before the clock with it has come, are that entry's."""
    visitor, program = site.visit(chromium), site.program(OTHER)
    visitor.log_in(OTHER)
    for is_answered in (False, True):
        visitor.sees("status", "Clock status", "Clocked Out")
        punches = visitor.holds("**/timeEntries/punches")
        visitor.press("Clock In")
        visitor.waits(lambda held=punches: held.routes, "the punch is sent")
        # Not earlier: the page may still ask for the clock of the press before, and sends nothing until it has it.
        clocks = visitor.holds("**/clock")
        if is_answered:
            punches.release()
            visitor.waits(lambda held=clocks: held.routes, "the clock is asked for")
        notes = f"Deliveries {is_answered}"
        visitor.find("textbox", "Notes").fill(notes)
        visitor.press("Save Notes")
        punches.release()
        visitor.page.wait_for_timeout(500)
        clocks.release()
        visitor.sees("status", "Message", "Saved.")
        entry = program.ask("GET", "timeEntries/current")["timeEntry"]
        expect(entry["notes"] == notes, "the notes", entry)
        visitor.press("Clock Out")
        visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", "out again")
    visitor.leave()


def keeps_focus(site, chromium):
    """Focus is on the next element to use: a button's counterpart, a dialog's opener, a new screen's heading."""
    visitor = site.visit(chromium)
    visitor.log_in(OTHER)
    for button, counterpart in [("Clock In", "Clock Out"), ("Clock Out", "Clock In")]:
        # A second press within a moment is that of a double click.
        visitor.page.wait_for_timeout(1_000)
        visitor.find("button", button).focus()
        visitor.page.keyboard.press("Enter")
        visitor.sees("button", counterpart)
        browser.sync_api.expect(visitor.find("button", counterpart)).to_be_focused()
    visitor.go("#/time")
    browser.sync_api.expect(visitor.page.locator("h1")).to_be_focused()
    visitor.find("button", "Add Entry").focus()
    visitor.page.keyboard.press("Enter")
    dialog = visitor.sees("dialog", "Add Entry")
    for _ in range(25):
        visitor.page.keyboard.press("Tab")
        inside = dialog.evaluate("dialog => dialog.contains(document.activeElement)")
        # The browser's own controls come between the last element and the first.
        expect(inside or visitor.page.evaluate("document.activeElement === document.body"), "focus leaves the dialog")
    visitor.page.keyboard.press("Escape")
    browser.sync_api.expect(visitor.find("button", "Add Entry")).to_be_focused()
    visitor.leave()


def prints_a_week(site, chromium):
    """The week sheet is one page of paper, without a control."""
    visitor = site.visit(chromium)
    visitor.log_in(MEMBER)
    visitor.go("#/week")
    visitor.press("Previous")
    visitor.sees("table", "Week Sheet", "Deliveries")
    visitor.page.emulate_media(media="print")
    for role in ("button", "link", "textbox"):
        seen = [one.text_content() for one in visitor.page.get_by_role(role).all() if one.is_visible()]
        expect(not seen, "controls on paper", seen)
    for name, (width, height) in SHEETS.items():
        paper = visitor.page.pdf(format=name)
        count = len(re.findall(rb"/Type\s*/Page\b", paper))
        expect(count == 1, f"pages of {name}", count)
        box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", paper)
        expect(abs(float(box[1]) - width) < 2 and abs(float(box[2]) - height) < 2, f"the size of {name}", box[0])
    visitor.leave()


def main():
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        for check in (
            works_a_day,
            says_where_its_organization_is,
            takes_back_in_two_windows,
            is_no_place_for_markup,
            speaks_german_by_keyboard,
            saves_notes_of_what_is_on_its_way,
            keeps_focus,
            prints_a_week,
        ):
            check(site, chromium)
        site.service.stop()
        site.service.verify()
    print("page: a day, presses taken back, markup as text, by keyboard in German, focus, a week on a sheet")


if __name__ == "__main__":
    main()

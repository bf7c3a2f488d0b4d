#!/usr/bin/env python3
"""Managers and admins use the page: a board by the stream, also after it was cut, corrections with reasons, a new colleague.

Roles and names are those that assistive technology has, in English.
"""

import datetime
import tempfile
import zoneinfo

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402

MANAGER, OTHER = "noa@example.com", "ivo@example.com"
ZONE = zoneinfo.ZoneInfo(browser.ZONE)


def watches(site, chromium):
    manager, program = site.visit(chromium), site.program(OTHER)
    manager.log_in(MANAGER)
    manager.sees("heading", "Board")
    program.ask("POST", "timeEntries/clockIn", expected=201)
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


def watches_through_a_cut(site, chromium):
    """The service is away for a while; events meanwhile and after are on the board by themselves."""
    manager = site.visit(chromium)
    manager.log_in(MANAGER)
    manager.sees("heading", "Board")
    manager.sees("listitem", text="Ivo Sand")
    site.service.kill()
    manager.page.wait_for_timeout(3_000)
    site.service.start()
    program = site.program(OTHER)
    program.ask("POST", "timeEntries/clockIn", {}, expected=201)
    row = manager.find("table", "Clocked In").get_by_role("row").filter(has_text="Ivo Sand")
    browser.sync_api.expect(row).to_be_visible()
    program.ask("POST", "timeEntries/clockOut")
    browser.sync_api.expect(row).to_have_count(0)
    manager.leave()


def ends_what_was_forgotten(site, chromium):
    """A forgotten clock-out is shown as such, and ends at the time that the manager says. Before any of today's entries."""
    admin, program, manager = site.program(), site.program(OTHER), site.visit(chromium)
    address = f"/v1/organizations/{site.demo['organizationID']}"
    former = admin.ask("GET", address)["policy"]["maximumSeconds"]
    admin.change(address, {"policy": {"maximumSeconds": 3_600}})
    begun = datetime.datetime.now(datetime.UTC).replace(second=0, microsecond=0) - datetime.timedelta(hours=2)
    ended = begun + datetime.timedelta(minutes=30)
    program.ask("POST", "timeEntries/clockIn", {"clockInTime": begun.isoformat()}, expected=201)
    manager.log_in(MANAGER)
    region = manager.sees("region", "Forgotten clock-outs", "Ivo Sand")
    manager.press("Clock out Ivo Sand", region)
    dialog = manager.find("dialog", "Clock out Ivo Sand")
    manager.find("textbox", "Date", dialog).fill(ended.astimezone(ZONE).date().isoformat())
    dialog.get_by_label("Time", exact=True).fill(ended.astimezone(ZONE).strftime("%H:%M"))
    manager.press("Clock Out", dialog)
    manager.sees("status", "Message", "Clocked out Ivo Sand at")
    manager.find("region", "Forgotten clock-outs").wait_for(state="detached")
    entry = max(program.ask("GET", "timeEntries?limit=50")["timeEntries"], key=lambda entry: entry["clockInTime"])
    expect(datetime.datetime.fromisoformat(entry["clockOutTime"]) == ended, "the time that was said", entry)
    admin.change(address, {"policy": {"maximumSeconds": former}})
    manager.leave()


def corrects(site, chromium):
    """Another's time is changed and added with a reason alone, and the audit log has it."""
    admin, manager = site.program(), site.visit(chromium)
    manager.log_in(MANAGER)
    manager.go("#/timesheets")
    manager.press("Previous Week")
    manager.sees("rowheader", "Ivo Sand")
    ivo = site.program(OTHER).ask("GET", "/v1/me")["user"]["id"]
    manager.go(f"#/people/{ivo}")
    manager.sees("heading", "Ivo Sand")
    manager.find("tab", "This Month").click()
    edit = manager.page.get_by_role("button", name="Edit entry of").first
    edit.click()
    dialog = manager.find("dialog", "Edit Entry")
    manager.find("textbox", "Notes", dialog).fill("Corrected")
    manager.press("Save", dialog)
    reason = manager.find("textbox", "Reason", dialog)
    browser.sync_api.expect(reason).to_be_focused()
    reason.fill("Card was broken")
    manager.press("Save", dialog)
    manager.sees("status", "Message", "Saved.")
    has_reason(admin, "updateTimeEntry", "Card was broken")

    manager.press("Add Entry")
    dialog = manager.find("dialog", "Add Entry")
    day = datetime.datetime.now(ZONE).date() - datetime.timedelta(days=1)
    dialog.get_by_label("Date", exact=True).fill(day.isoformat())
    dialog.get_by_label("Start", exact=True).fill("02:30")
    dialog.get_by_label("End", exact=True).fill("03:30")
    manager.press("Save", dialog)
    reason = manager.find("textbox", "Reason", dialog)
    browser.sync_api.expect(reason).to_be_focused()
    reason.fill("Came in at night")
    manager.press("Save", dialog)
    dialog.wait_for(state="detached")
    has_reason(admin, "createTimeEntry", "Came in at night")
    manager.leave()


def has_reason(admin, operation, reason):
    change = admin.ask("GET", f"auditLog?operation={operation}&limit=1")["changes"][0]
    expect(change["reason"] == reason, f"the reason of {operation}", change)


def invites(site, chromium):
    """An admin's new colleague follows the link, which leaves the address, chooses a password, and clocks in."""
    admin, colleague = site.visit(chromium), site.visit(chromium)
    admin.log_in(browser.ADMIN)
    admin.sees("heading", "Board")
    admin.go("#/admin/members")
    admin.press("Add Member")
    dialog = admin.find("dialog", "Add Member")
    admin.find("textbox", "Name", dialog).fill("Kai Wolf")
    admin.find("textbox", "Email", dialog).fill("kai@example.com")
    admin.press("Add and Invite", dialog)
    link = admin.sees("textbox", "Invitation link").input_value()
    colleague.page.goto(link)
    colleague.sees("heading", "Set Your Password")
    token = link.rsplit("/", 1)[-1]
    expect(token not in colleague.page.url, "the invitation stays in the address", colleague.page.url)
    told = [one.url for one in colleague.requests if token in one.url]
    expect(not told, "the invitation is in an address that was asked for", told)
    colleague.find("textbox", "New password").fill("a much longer passphrase")
    colleague.press("Join")
    colleague.sees("status", "Clock status", "Clocked Out")
    colleague.press("Clock In")
    colleague.sees("status", "Clock status", "Clocked In")
    colleague.press("Clock Out")
    colleague.sees("status", "Clock status", "Clocked Out")
    again = site.visit(chromium)
    again.page.goto(link)
    again.find("textbox", "New password").fill("a much longer passphrase")
    again.press("Join")
    again.sees("alert")
    for one in (admin, colleague, again):
        one.leave()


def main():
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        for check in (ends_what_was_forgotten, watches, watches_through_a_cut, corrects, sets_up, invites):
            check(site, chromium)
        site.service.stop()
        site.service.verify()
    print("page: a board through a cut, a forgotten clock-out, corrections with reasons, a set-up, an invitation")


if __name__ == "__main__":
    main()

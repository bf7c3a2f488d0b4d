#!/usr/bin/env python3
"""A press without a connection counts once, at its instant: offline, without the service, with a lost answer, and reloaded.

Seconds shown are the service's, whichever time the device's clock has.
"""

import json
import re
import tempfile
import time

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402

MEMBER = "mia@example.com"
# An hour ahead, for all that asks for the time of the day.
FAST_CLOCK = """(() => {
  const Real = Date;
  window.Date = class extends Real {
    constructor(...parts) { parts.length ? super(...parts) : super(Real.now() + 3_600_000); }
    static now() { return Real.now() + 3_600_000; }
  };
})()"""
# As over plain HTTP.
NO_LOCKS = 'Object.defineProperty(Navigator.prototype, "locks", { value: undefined })'


def entries(program):
    return program.ask("GET", "timeEntries?limit=100&range=today")["timeEntries"]


def counts_once(site, chromium, name, cut, restore):
    """Clocks in while cut off, reloads if the page can, comes back: one entry, at the instant of the press."""
    program, visitor = site.program(MEMBER), site.visit(chromium)
    visitor.log_in(MEMBER, keeps=True)
    visitor.sees("status", "Clock status", "Clocked Out")
    visitor.waits(lambda: visitor.page.evaluate("navigator.serviceWorker.controller !== null"), "the worker is there")
    before = len(entries(program))
    cut(visitor)
    pressed = time.time()
    visitor.press("Clock In")
    visitor.sees("status", "Clock status", "Clocked In")
    visitor.sees("status", "Connection", "1 punch is kept on this device")
    visitor.page.reload()
    visitor.sees("status", "Clock status", "Clocked In")
    visitor.page.wait_for_timeout(2_000)
    restore(visitor)
    program = site.program(MEMBER)
    visitor.waits(lambda: len(entries(program)) == before + 1, f"{name}: the entry is there", 40)
    entry = max(entries(program), key=lambda entry: entry["clockInTime"])
    started = time_of(entry["clockInTime"])
    expect(abs(started - pressed) < 1.5, f"{name}: at the instant of the press", (entry, pressed - started))
    visitor.page.get_by_role("status", name="Connection").wait_for(state="detached", timeout=40_000)
    visitor.press("Clock Out")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", f"{name}: out again")
    expect(len(entries(program)) == before + 1, f"{name}: one entry", entries(program))
    visitor.leave()


def time_of(text):
    whole, fraction = re.fullmatch(r"(.*?)(\.\d+)?Z", text).groups()
    return time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) - time.timezone + float(fraction or 0)


def loses_an_answer(site, chromium, script=""):
    """The service applies the punch, and its answer does not come: the punch is sent again and counts once."""
    program, visitor = site.program(MEMBER), site.visit(chromium)
    visitor.context.add_init_script(script)
    visitor.log_in(MEMBER)
    visitor.sees("status", "Clock status", "Clocked Out")
    before, lost = len(entries(program)), []

    def swallow(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    visitor.context.route("**/timeEntries/punches", swallow)
    visitor.press("Clock In")
    visitor.waits(lambda: lost and len(entries(program)) == before + 1, "the entry is there", 40)
    visitor.page.get_by_role("status", name="Connection").wait_for(state="detached", timeout=40_000)
    visitor.sees("status", "Clock status", "Clocked In")
    visitor.press("Clock Out")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-out", "out again")
    expect(len(entries(program)) == before + 1, "one entry", entries(program))
    bodies = [json.loads(one.post_data) for one in visitor.requests if one.url.endswith("/timeEntries/punches")]
    sent = [one["id"] for body in bodies for one in body["punches"] if one["type"] == "clockIn"]
    expect(len(sent) > 1 and len(set(sent)) == 1, "one id, however often it is sent", sent)
    visitor.leave()


def shows_the_service_s_time(site, chromium):
    program, visitor = site.program(MEMBER), site.visit(chromium)
    visitor.context.add_init_script(FAST_CLOCK)
    program.ask("POST", "timeEntries/clockIn", {}, expected=201)
    visitor.log_in(MEMBER)
    timer = visitor.sees("timer", "Elapsed time")
    begun = time_of(program.ask("GET", "timeEntries/current")["timeEntry"]["clockInTime"])
    for _ in range(3):
        hours, minutes, seconds = map(int, re.match(r"(\d+):(\d\d):(\d\d)", timer.text_content().strip()).groups())
        shown, real = hours * 3_600 + minutes * 60 + seconds, time.time() - begun
        expect(abs(shown - real) < 1.5, "elapsed by the service's clock", (shown, real))
        visitor.page.wait_for_timeout(1_100)
    second = site.visit(chromium)
    second.log_in(MEMBER)
    second.sees("status", "Clock status", "Clocked In")
    visitor.press("Clock Out")
    second.sees("status", "Clock status", "Clocked Out", seconds=2)
    visitor.leave()
    second.leave()


def main():
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        loses_an_answer(site, chromium)
        loses_an_answer(site, chromium, NO_LOCKS)
        shows_the_service_s_time(site, chromium)
        offline = lambda is_cut: lambda visitor: visitor.context.set_offline(is_cut)  # noqa: E731
        counts_once(site, chromium, "offline", offline(True), offline(False))
        counts_once(site, chromium, "no service", lambda _: site.service.kill(), lambda _: site.service.start())
        site.service.stop()
        site.service.verify()
    print("page offline: one entry at the instant of each press; seconds are the service's")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The page stays small and still: bytes and requests of the first load, nothing asked and nothing moved while nothing happens,
memory and elements that do not grow with the seconds.
"""

import re
import tempfile
import urllib.request

from kit import python_packages

python_packages.enter("page")

from kit import browser  # noqa: E402
from kit.expecting import expect  # noqa: E402

MEMBER = "mia@example.com"
# In bytes: of a member's first screen and of the style, as gzip; of a language, as it is.
SCRIPTS, STYLE, LANGUAGE = 35_000, 8_000, 25_000
REQUESTS = 8
# One second of the page takes a fortieth of a real one, while it waits for no more than a second.
FAST = """(() => {
  const [timeout, now] = [setTimeout, performance.now.bind(performance)];
  window.setTimeout = (act, wait, ...rest) => timeout(act, wait <= 1100 ? wait / 40 : wait, ...rest);
  performance.now = () => now() * 40;
  window.ticks = 0;
  new MutationObserver(() => ticks++).observe(document, { subtree: true, characterData: true });
})()"""
SHIFTS = """(() => {
  window.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: "layout-shift", buffered: true });
})()"""


def sent(site, path, encoding="identity"):
    """The bytes of a file as a browser gets them."""
    request = urllib.request.Request(
        site.address + path, headers={"Accept": "text/html, */*", "Accept-Encoding": encoding}
    )
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def is_small(site):
    page = sent(site, "/").decode()
    scripts = set(re.findall(r'(?:href|src)="(/assets/\w+/\w+\.js)"', page))
    style = re.search(r'"(/assets/(\w+)/page\.css)"', page)
    sizes = {path: len(sent(site, path, "gzip")) for path in [*scripts, style[1]]}
    total = sum(sizes[path] for path in scripts)
    expect(total <= SCRIPTS, "bytes of the scripts of the first load", total)
    expect(sizes[style[1]] <= STYLE, "bytes of the style", sizes[style[1]])
    for language in ("en", "de", "es", "fr"):
        size = len(sent(site, f"/assets/{style[2]}/words_{language}.js"))
        expect(size <= LANGUAGE, f"bytes of {language}", size)
    return total, sizes[style[1]]


def is_quiet(site, chromium):
    """A few requests until it can be used; then, while the seconds run, none, and nothing moves."""
    visitor, program = site.visit(chromium), site.program(MEMBER)
    visitor.context.add_init_script(SHIFTS)
    visitor.log_in(MEMBER)
    visitor.sees("button", "Clock In")
    asked = [request.url for request in visitor.requests if "/v1/" in request.url]
    expect(len(asked) <= REQUESTS, "requests before use", asked)
    visitor.press("Clock In")
    visitor.waits(lambda: program.ask("GET", "timeEntries/current")["status"] == "clocked-in", "the service knows")
    # The worker keeps its files three seconds after the start, or later on a busy machine, and a message stays for five.
    visitor.page.wait_for_timeout(8_000)
    for _ in range(10):
        count = len(visitor.requests)
        visitor.page.evaluate("shifts.length = 0")
        visitor.page.wait_for_timeout(3_000)
        if len(visitor.requests) == count and not visitor.page.evaluate("shifts.length"):
            break
    count = len(visitor.requests)
    visitor.page.evaluate("shifts.length = 0")
    visitor.page.wait_for_timeout(5_000)
    later = [request.url for request in visitor.requests[count:]]
    expect(not later, "requests while nothing happens", later)
    shifts = visitor.page.evaluate("shifts")
    expect(not shifts, "layout moves while the seconds run", shifts)
    visitor.leave()
    return len(asked)


def stays_as_large(site, chromium):
    """Six hundred seconds of a running clock leave no element and no memory behind. Runs behind `is_quiet`, clocked in."""
    visitor = site.visit(chromium)
    visitor.context.add_init_script(FAST)
    visitor.log_in(MEMBER)
    visitor.sees("status", "Clock status", "Clocked In")
    session = visitor.context.new_cdp_session(visitor.page)

    def measured(ticks):
        visitor.waits(lambda: visitor.page.evaluate("ticks") >= ticks, f"{ticks} ticks", 120)
        session.send("HeapProfiler.collectGarbage")
        elements = visitor.page.evaluate("document.querySelectorAll('*').length")
        return session.send("Runtime.getHeapUsage")["usedSize"], elements

    # Files that are loaded behind the first screen have come by then, or on a busy machine by the second time.
    heap, elements = measured(300)
    for ticks in (900, 1_500):
        (earlier, fewer), (heap, elements) = (heap, elements), measured(ticks)
        if heap - earlier < 100_000 and elements == fewer:
            break
    expect(elements == fewer, "elements after 600 ticks", (fewer, elements))
    expect(heap - earlier < 100_000, "bytes after 600 ticks", heap - earlier)
    # By a program: this page's own clock is ahead by now, and a press of it in the future.
    site.program(MEMBER).ask("POST", "timeEntries/clockOut")
    visitor.sees("status", "Clock status", "Clocked Out")
    visitor.leave()
    return heap - earlier


def main():
    with tempfile.TemporaryDirectory() as folder, browser.site(folder) as site, browser.started() as chromium:
        scripts, style = is_small(site)
        requests = is_quiet(site, chromium)
        grown = stays_as_large(site, chromium)
    print(
        f"page: {scripts} bytes of scripts and {style} of style at first, {requests} requests before use, none and no shift"
        f" while idle, {grown} bytes more after 600 ticks"
    )


if __name__ == "__main__":
    main()

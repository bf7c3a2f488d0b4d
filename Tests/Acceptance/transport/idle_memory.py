#!/usr/bin/env python3
"""The static release build is small while it waits: under 16 MB resident on SQLite, libpq and its libraries included.

Only the release build has this bar: TIMECLOCK_BINARY must name one, if it is set.
"""

import pathlib
import re
import sys
import tempfile
import time

from kit import service

LIMIT = 16 * 1024


def resident(process):
    """Kilobytes, proc(5)."""
    return int(re.search(r"VmRSS:\s+(\d+) kB", pathlib.Path(f"/proc/{process}/status").read_text())[1])


def main():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        clock.create_organization()
        clock.start()
        time.sleep(1)
        kilobytes = resident(clock.process.pid)
        clock.stop()
    if kilobytes >= LIMIT:
        sys.exit(f"idle, the server has {kilobytes} kB resident, not under {LIMIT}")
    print(f"idle memory: {kilobytes / 1024:.1f} MB resident")


main()

#!/usr/bin/env python3
"""Runs the steps of gate/steps.py: a tier of them, a part of the thorough tier, or some by their names.

    run.py quick | gate | thorough    a tier, with the builds that it needs
    run.py part N                     the Nth part of the thorough tier, of which the gate runs one
    run.py checks                     what the gate asks of the built binary, and no build
    run.py NAME...                    these steps, or all of a folder (`transport/`, `faults/`), and no build
    run.py list                       all of them, and what is for this commit
    run.py document [--check]         writes the lists of CONTRIBUTING.md, or compares them

`./scripts/test` installs missing packages and calls this. TIMECLOCK_BINARY names another binary than the static release
build; then none is made. The output of steps is in .build/test-logs.
"""

import os
import pathlib
import sys

from gate import choosing, document, running
from gate.steps import MAKERS, PARTS, STEPS
from kit import postgresql

# Steps that take minutes. A missing binary is reported.
BUILDS = ["build_release", "build_tests", "build_changed_tests"]


def main():
    words = sys.argv[1:]
    match words:
        case ["-h" | "--help"]:
            print(__doc__)
        case ["list"]:
            list_all()
        case ["initdb"]:
            postgresql.make_template(pathlib.Path(os.environ[postgresql.TEMPLATE]))
            print("a cluster to copy")
        case ["document"]:
            document.write()
        case ["document", "--check"]:
            found = document.faults()
            print("\n".join(found) or f"{len(STEPS)} steps, as CONTRIBUTING.md lists them; every script has one")
            sys.exit(bool(found))
        case ["part", number]:
            if not number.isdigit() or not 1 <= int(number) <= PARTS:
                sys.exit(f"There are parts from 1 to {PARTS}")
            run([step for step in STEPS if step.part == int(number) - 1])
        case ["checks"]:
            run(choosing.outside(choosing.of_tier("gate")), leaving_out=BUILDS)
        case [] | ["gate"]:
            run(choosing.of_tier("gate"))
        case ["quick" | "thorough" as tier]:
            run(choosing.of_tier(tier))
        case names:
            steps = choosing.named(names)
            if len(steps) > 1:
                run(steps, leaving_out=BUILDS)
            # At once.
            sys.exit(not running.run(steps))


def run(steps, leaving_out=()):
    # A binary that is named is the one to test.
    named = [MAKERS["binary"]] if os.environ.get("TIMECLOCK_BINARY") else []
    passed = running.run(choosing.with_makers(steps, [*leaving_out, *named]), choosing.reason)
    sys.exit(not passed)


def list_all():
    for step in STEPS:
        tier = " ".join(sorted(step.tiers)) or "makes what others need"
        lane = "alone" if step.is_alone else "side by side"
        more = [
            f"part {step.part + 1}" if step.part is not None else "",
            "every second commit" if step.turn is not None else "",
            choosing.reason(step) or "",
        ]
        print(f"{step.name:28} {tier:10} {lane:13} {' '.join(sorted(step.needs)):28} {'; '.join(filter(None, more))}")


if __name__ == "__main__":
    main()

"""The ends of checks that compare the service with a calculation of their own."""

import sys
import tempfile

from kit import served


def told_apart(name, found, seconds, seed):
    """Prints that every mistake of a calculation was noticed; exits if one was not.

    `found` has the number of sets that it took for each mistake, None if none noticed it.
    """
    for kind, sets in found.items():
        if sets is None:
            sys.exit(f"the check cannot fail: nothing speaks against “{kind.__doc__}”")
    last = max(found, key=found.get)
    print(
        f"{name}, wrong on purpose: {len(found)} mistakes were noticed, the last after {found[last]} sets "
        f"(“{last.__doc__}”); the right one agrees in {seconds:,} seconds one by one; seed {seed}"
    )


def compared(check, wanted):
    """Runs a check on each wanted storage, prints its counts and time, and answers the storages' names."""
    with tempfile.TemporaryDirectory() as folder:
        reports = [
            (served.NAMES[kind], *check(kind, clock, operator, wanted))
            for kind, clock, operator in served.each(folder, wanted.database)
        ]
    for name, counts, duration in reports:
        print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.items()) + f" in {duration:.0f} s")
    return " and ".join(name for name, *_ in reports)

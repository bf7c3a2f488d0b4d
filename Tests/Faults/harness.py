"""The shared parts of all fault runs: the binary, the command line, and the last line of a run."""

import argparse
import functools
import pathlib
import random
import sys

from kit import service

HERE = pathlib.Path(__file__).resolve().parent


@functools.cache
def binary():
    """The program under test: that of TIMECLOCK_BINARY, or the static release build."""
    return service.built_binary()


def options(description, short, long, count="rounds", add=None):
    """The command line that all fault runs have: `[short|long] [--count N] [--seed S] [--self-check]`.

    `short` and `long` are the counts of the two forms; `add` adds more arguments to the parser.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("form", nargs="?", choices=["short", "long"], default="short")
    parser.add_argument("--count", type=int, help=f"{count} (short: {short}, long: {long})")
    parser.add_argument("--seed", type=int, help="repeats a run, as far as threads and clocks let it")
    parser.add_argument("--self-check", action="store_true", help="plant a fault, and fail where it is not found")
    if add:
        add(parser)
    chosen = parser.parse_args()
    if chosen.count is None:
        chosen.count = long if chosen.form == "long" else short
    if chosen.seed is None:
        chosen.seed = random.SystemRandom().randrange(1_000_000)
    return chosen


def conclude(faults, summary, is_self_check=False):
    """Ends the run: prints the findings and a line that sums them up, the last one; 1 if it is as it should not be.

    In a self-check it is as it should be if the planted fault was found.
    """
    shown = 2 if is_self_check else 20
    for fault in faults[:shown]:
        print(f"found: {fault}" if is_self_check else f"FAULT: {fault}")
    if len(faults) > shown:
        print(f"and {len(faults) - shown} more")
    if is_self_check:
        print(f"{summary}: the planted fault was {'found' if faults else 'NOT found'}")
        sys.exit(not faults)
    print(f"{summary}, {len(faults)} faults")
    sys.exit(bool(faults))

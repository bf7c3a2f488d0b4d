#!/usr/bin/env python3
"""Runs the fault runs in their long form, one after the other: the source of docs/reliability.md's figures.

    run.py long                 all of them, in hours
    run.py kills clocks         these

A line gives the outcome of each, the last one how many passed; all are run even if some fail. With `--table` the rows
of docs/reliability.md are printed at the end. The short forms and the planted faults are steps of `./scripts/test`.
"""

import argparse
import dataclasses
import datetime
import os
import random
import subprocess
import sys
import time

import harness

# A new run is a script here that takes harness.options. This one has no form but its control.
CONTROL_ONLY = "compare"
RUNS = sorted(
    path.stem
    for path in harness.HERE.glob("*.py")
    if path.stat().st_mode & 0o100 and path.stem not in (CONTROL_ONLY, "run")
)
# The longest that one may take, in seconds.
LIMIT = 6 * 3600


@dataclasses.dataclass
class Result:
    command: str
    passed: bool
    seconds: float
    # The last line that was printed, and all of it.
    line: str
    output: str


def execute(name, seed):
    arguments = [f"{name}.py", "long", "--seed", str(seed)]
    began = time.monotonic()
    try:
        ended = subprocess.run(
            [sys.executable, *arguments],
            cwd=harness.HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            env={**os.environ, "TIMECLOCK_BINARY": harness.binary()},
        )
        passed, output = ended.returncode == 0, ended.stdout
    except subprocess.TimeoutExpired as error:
        passed, output = False, (error.stdout or b"").decode() + f"\nnot done after {LIMIT} s"
    lines = output.strip().splitlines() or ["no output"]
    result = Result(" ".join(arguments), passed, time.monotonic() - began, lines[-1], output)
    print(f"{'passed' if passed else 'FAILED'}  {result.seconds:6.1f} s  {result.command}: {result.line}", flush=True)
    return result


def row(result):
    today = datetime.date.today()
    return (
        f"| `Tests/Faults/{result.command}` | {result.line} | {result.seconds:.0f} s | "
        f"{'passed' if result.passed else 'failed'}, {today} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=["long", *RUNS])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--table", action="store_true", help="print the rows of docs/reliability.md")
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.randrange(1_000_000)
    print(f"seed {seed}")
    harness.binary()
    results = [execute(name, seed) for name in RUNS if name in chosen.what or "long" in chosen.what]
    failed = [result for result in results if not result.passed]
    for result in failed:
        print(f"\n{result.command} failed:\n{result.output[-6_000:]}")
    if chosen.table:
        print("\n".join(row(result) for result in results))
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the fault runs: `run.py short`, `run.py long`, or `run.py NAME... [--long]`.

    run.py short            every run in its short form, and every control: what guards main. The neighbors are left out,
                            whom .ci/run names, with the release build
    run.py long             every run in its long form: what docs/reliability.md has the figures of
    run.py kills clocks     these, in their short form and with their controls; with --long in the long one

A line tells what came of each, the last one how many passed; all are run whatever fails. With `--table` the rows of
docs/reliability.md are printed at the end. A new run is a script here that takes harness.options, and a line in RUNS.
"""

import argparse
import concurrent.futures
import dataclasses
import datetime
import os
import random
import subprocess
import sys
import time

import harness


@dataclasses.dataclass(frozen=True)
class Run:
    script: str
    # Whether it measures times, and has the machine to itself. Its control may have company.
    is_alone: bool = False
    # Whether there is more of it than its control.
    has_forms: bool = True
    # Whether a build for debugging is too slow for it. Then .ci/run names it, and `short` leaves it out.
    is_of_release: bool = False


RUNS = [
    Run("compare", has_forms=False),
    Run("kills"),
    Run("power_cuts"),
    Run("failing_calls"),
    Run("full_disk"),
    Run("clocks"),
    Run("linearizable"),
    Run("postgresql_chaos"),
    Run("cut_connections"),
    Run("fail_over"),
    Run("neighbors", is_alone=True, is_of_release=True),
]
# How many at once, in the short form.
AT_ONCE = 3
# One seed, so that a failure is of the change that is tested; other seeds are for runs by hand.
SHORT_SEED = 20261122
# The longest that one may take, in seconds.
LIMIT = {"short": 300, "long": 6 * 3600}


@dataclasses.dataclass
class Result:
    command: str
    passed: bool
    seconds: float
    # The last line that was printed, and all of it.
    line: str
    output: str


def execute(run, form, is_control, seed):
    arguments = [f"{run.script}.py", *(["long"] if form == "long" else []), "--seed", str(seed)]
    arguments += ["--self-check"] if is_control else []
    began = time.monotonic()
    try:
        ended = subprocess.run(
            [sys.executable, *arguments],
            cwd=harness.HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT[form],
            env={**os.environ, "TIMECLOCK_BINARY": harness.binary()},
        )
        passed, output = ended.returncode == 0, ended.stdout
    except subprocess.TimeoutExpired as error:
        passed, output = False, (error.stdout or b"").decode() + f"\nnot done after {LIMIT[form]} s"
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
    names = [run.script for run in RUNS]
    parser.add_argument("what", nargs="+", choices=["short", "long", *names])
    parser.add_argument("--long", action="store_true", help="the long form of the runs named")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--table", action="store_true", help="print the rows of docs/reliability.md")
    chosen = parser.parse_args()
    form = "long" if chosen.long or "long" in chosen.what else "short"
    seed = chosen.seed if chosen.seed is not None else SHORT_SEED if form == "short" else random.randrange(1_000_000)
    print(f"{form} form, seed {seed}")
    harness.binary()

    runs = [
        run
        for run in RUNS
        if run.script in chosen.what or "long" in chosen.what or ("short" in chosen.what and not run.is_of_release)
    ]
    calls = [(run, False) for run in runs if run.has_forms] + [(run, True) for run in runs if form == "short"]
    alone = [call for call in calls if call[0].is_alone and not call[1]]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE if form == "short" else 1) as pool:
        together = [
            pool.submit(execute, run, form, is_control, seed)
            for run, is_control in calls
            if (run, is_control) not in alone
        ]
        results = [call.result() for call in together]
    results += [execute(run, form, is_control, seed) for run, is_control in alone]

    failed = [result for result in results if not result.passed]
    for result in failed:
        print(f"\n{result.command} failed:\n{result.output[-6_000:]}")
    if chosen.table:
        print("\n".join(row(result) for result in results))
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

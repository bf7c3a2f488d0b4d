#!/usr/bin/env python3
"""Measures everything that docs/performance.md plots of the service, on both storages, and draws it.

usage: sweep.py [--again] [--rounds N] [--seconds N] [--sizes MEMBERSxDAYS,...] [--wide MEMBERSxDAYS]
         [--connections N,N]

Rates and 99th percentiles at 32 connections for each size, 10,000 to 10 million entries, and at 1 to 1,000 connections
(`--connections`) for one of them (`--wide`). Each step is a run of compare.py, whose results are kept in
.build/benchmarks as soon as they are there: a sweep that was interrupted goes on where it stopped. `--again` measures
again.

The data take half an hour and 15 GB the first time, and are kept beside the results. The service has to be built.
"""

import argparse
import itertools
import pathlib
import subprocess
import sys
import time

from services import KEPT

HERE = pathlib.Path(__file__).resolve().parent
STORAGES = ["sqlite", "postgresql"]
# In each of the files, so that it can be compared.
COMMON = "32"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--rounds", default="3")
    parser.add_argument("--seconds", default="2")
    parser.add_argument("--sizes", default="100x100,1000x100,10000x100,10000x1000")
    parser.add_argument("--wide", default="10000x100")
    parser.add_argument("--connections", default="1,8,32,128,400,1000")
    return parser.parse_args()


def run(command):
    """Whether it ended well. An interrupted step may clean up first."""
    process = subprocess.Popen(command)
    try:
        return process.wait() == 0
    except KeyboardInterrupt:
        process.wait()
        raise


def main():
    options = parsed()
    files, failed = [], []
    for size, storage in itertools.product(options.sizes.split(","), STORAGES):
        members, days = size.split("x")
        file = KEPT / f"sweep-{storage}-{size}.json"
        if options.again:
            file.unlink(missing_ok=True)
        if not file.exists():
            print(f"{size} on {storage}", flush=True)
            began = time.monotonic()
            is_well = run(
                [
                    *(HERE / "compare.py", "--storage", storage, "--members", members, "--days", days),
                    *("--rounds", options.rounds, "--seconds", options.seconds, "--output", file),
                    *("--connections", options.connections if size == options.wide else COMMON),
                ]
            )
            print(f"{size} on {storage}: {'done' if is_well else 'failed'} after {time.monotonic() - began:.0f} s\n")
        (files if file.exists() else failed).append(file)
    if files:
        run([HERE / "plots.py", *files])
    if failed:
        sys.exit(f"Not measured: {', '.join(file.stem for file in failed)}. Another sweep measures them alone.")


main()

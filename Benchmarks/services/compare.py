#!/usr/bin/env python3
"""Measures the service on SQLite against a bare C server, and against Hummingbird with GRDB, in interleaved rounds.

usage: compare.py [--storage sqlite|postgresql] [--rounds N] [--seconds N] [--members N] [--days N]
           [--connections N,N] [--longest SECONDS] [--output FILE]

Each has a million entries of 10,000 members by default (`--members`, `--days`), `synchronous=FULL`, and the same
requests over keep-alive connections: pairs of clock-in and clock-out, the active entry, a list of 100 entries. The
service does all that it does by default: tokens, the log of changes, a line in its log for each request. `--longest`
also measures pairs without a pause for that many seconds, for the longest answer. Ratios are of rates within one round.
Every status is checked: a wrong one ends the run, but for reads, which then have no figures in that round.

`--storage postgresql` measures the service alone, on a durable cluster. The figures leave out the cluster's own use of
processors and writing.

`./scripts/bench` builds the service and calls this; `sweep.py` calls it for each size and storage.
"""

import argparse
import contextlib
import itertools
import math
import resource
import signal
import statistics
import sys
import tempfile

import loading
from kit import service
from services import KEPT, Limit, Reference, Size, Timeclock, TimeclockOnPostgreSQL, written

# Descriptors that the load and each service may have, if the system allows as many.
DESCRIPTORS = 8192


class Comparison:
    def __init__(self, services, loader):
        self.services, self.loader = services, loader
        # By service, kind and connections: a dictionary for each round, None if the service refused.
        self.rounds = {}

    def measure(self, one, kind, connections, seconds):
        before = loading.processor_seconds(one.pid), loading.written_bytes(one.pid)
        figures = self.loader.run(one.port, one.files[kind], one.steps[kind], seconds, connections)
        count = max(figures.rate * seconds, 1)
        return {
            **figures._asdict(),
            "processor": (loading.processor_seconds(one.pid) - before[0]) / count * 1e6,
            "written": (loading.written_bytes(one.pid) - before[1]) / count,
        }

    def run_round(self, connections, seconds):
        for kind, count in itertools.product(Timeclock.steps, connections):
            for one in self.services:
                try:
                    figures = self.measure(one, kind, count, seconds)
                except SystemExit as failure:
                    # A pair that is left half done would spoil the next one.
                    if kind == "pair":
                        raise
                    print(f"{one.name}, {kind}, {count} connections: {failure}", flush=True)
                    figures = None
                self.rounds.setdefault((one.name, kind, count), []).append(figures)

    def median(self, name, kind, connections, figure):
        values = [one[figure] for one in self.rounds[name, kind, connections] if one]
        return statistics.median(values) if values else math.nan

    def ratios(self, name, kind, connections):
        ours, theirs = self.rounds["timeclock", kind, connections], self.rounds[name, kind, connections]
        return sorted(mine["rate"] / other["rate"] for mine, other in zip(ours, theirs) if mine and other) or [math.nan]

    def lines(self):
        others = [one.name for one in self.services[1:]]
        heads = [f"against {name}, median (range)" for name in others]
        yield ["", "requests/s", *heads, "p50, p99, longest ms", "µs of a processor", "KB written"]
        for _, kind, connections in [key for key in self.rounds if key[0] == "timeclock"]:
            row = [f"{kind}, {connections} connections", f"{self.median('timeclock', kind, connections, 'rate'):,.0f}"]
            for name in others:
                ratios = self.ratios(name, kind, connections)
                row.append(f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})")
            for figures, scale in ((("median", "p99", "longest"), 1000), (("processor",), 1), (("written",), 1024)):
                row.append(
                    " / ".join(
                        ", ".join(
                            f"{self.median(one.name, kind, connections, figure) / scale:.1f}" for figure in figures
                        )
                        for one in self.services
                    )
                )
            yield row


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--storage", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=100)
    parser.add_argument(
        "--connections", type=lambda text: [int(word) for word in text.split(",")], default=[1, 8, 32, 128]
    )
    parser.add_argument("--longest", type=float, default=0)
    parser.add_argument("--output")
    return parser.parse_args()


def allow_descriptors():
    """Raises the limit of open files for this many connections: a shell often allows 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY:
        wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def main():
    options = parsed()
    allow_descriptors()
    # Everything is cleaned up then, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    size, binary = Size(options.members, options.days), service.built_binary()
    on_sqlite = options.storage == "sqlite"
    with tempfile.TemporaryDirectory(dir=KEPT.parent, prefix="benchmark-") as folder, contextlib.ExitStack() as stack:
        if on_sqlite:
            services = [Timeclock(folder, size, binary), Limit(folder, size), Reference(folder, size)]
        else:
            services = [TimeclockOnPostgreSQL(folder, size, binary)]
        comparison = Comparison(services, loading.Loader(folder))
        for one in services:
            stack.callback(one.stop)
            one.start()
            one.write_requests()
        # A first run that does not count: caches fill, and connections begin.
        for one, kind in itertools.product(services, Timeclock.steps):
            comparison.measure(one, kind, 32, 1)
        for number in range(options.rounds):
            comparison.run_round(options.connections, options.seconds)
            print(f"round {number + 1} of {options.rounds}", flush=True)
        longest = {
            one.name: comparison.measure(one, "pair", 32, options.longest) for one in services if options.longest
        }
        loaded = {one.name: loading.resident_megabytes(one.pid) for one in services}
        rounds = {" ".join(map(str, key)): value for key, value in comparison.rounds.items()}
        # Before the data go, which takes a moment.
        written(
            {"storage": options.storage, "size": str(size), "rounds": rounds, "longest": longest},
            options.output or KEPT / ("services.json" if on_sqlite else "services-postgresql.json"),
        )
    names = " / ".join(one.name for one in services)
    print(f"{size.entries:,} entries of {size.members:,} members; {names} on {options.storage}")
    for line in comparison.lines():
        print("| " + " | ".join(line) + " |")
    for one in services:
        after = (
            f", longest answer of {options.longest:.0f} s: {longest[one.name]['longest'] / 1000:.1f} ms"
            if longest
            else ""
        )
        print(
            f"{one.name}: ready after {one.ready_seconds * 1000:.0f} ms, {one.idle_megabytes:.1f} MB resident at first and "
            f"{loaded[one.name]:.1f} MB after the load{after}"
        )


main()

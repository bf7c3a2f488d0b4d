#!/usr/bin/env python3
"""Draws what compare.py has written: rates and 99th percentiles against connections, and against entries where there are
files of several sizes. Writes SVG files into docs/plots.

usage: plots.py FILE...
"""

import json
import pathlib
import statistics
import sys

from kit import python_packages, service

python_packages.enter("plots")

import matplotlib

matplotlib.use("svg")
# The same figures give the same bytes.
matplotlib.rcParams["svg.hashsalt"] = "timeclock"
# Text stays text.
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as pyplot

FOLDER = service.TOP / "docs/plots"
KINDS = {"pair": "clock-ins and clock-outs", "current": "reads of the active entry", "list": "lists of 100 entries"}
NAMES = {"timeclock": "Timeclock", "limit": "C, the limit", "hummingbird": "Hummingbird + GRDB"}


class Results:
    """One file: for each service, kind and number of connections, the rounds."""

    def __init__(self, path):
        content = json.loads(pathlib.Path(path).read_text())
        members, days = map(int, content["size"].split("x"))
        self.entries = members * days
        self.rounds = {tuple(key.split()): value for key, value in content["rounds"].items()}

    def connections(self):
        return sorted({int(connections) for _, _, connections in self.rounds})

    def median(self, name, kind, connections, figure):
        return statistics.median(one[figure] for one in self.rounds[name, kind, str(connections)])


def draw(file, label, places, figure):
    """One row of plots for the rates, one for the percentiles; `figure(name, kind, which)` gives the values at the places."""
    image, rows = pyplot.subplots(2, len(KINDS), figsize=(12, 6.5), sharex=True, layout="constrained")
    for row, (which, title) in zip(rows, (("rate", "requests a second"), ("p99", "99th percentile, ms"))):
        for axes, (kind, what) in zip(row, KINDS.items()):
            for name, text in NAMES.items():
                axes.plot(places, figure(name, kind, which), marker="o", markersize=4, label=text)
            axes.set_xscale("log")
            axes.set_yscale("log" if which == "p99" else "linear")
            axes.set_ylim(bottom=None if which == "p99" else 0)
            axes.grid(alpha=0.3)
            axes.set_title(f"{what}: {title}", fontsize=9)
            if row is rows[1]:
                axes.set_xlabel(label)
    rows[0][0].legend(fontsize=8)
    FOLDER.mkdir(exist_ok=True)
    image.savefig(FOLDER / file, metadata={"Date": None})
    print(FOLDER / file)


def main():
    files = sorted((Results(path) for path in sys.argv[1:]), key=lambda results: results.entries)
    if not files:
        sys.exit(__doc__)
    for results in files:
        if len(places := results.connections()) > 2:

            def at(name, kind, which, results=results, places=places):
                scale = 1000 if which == "p99" else 1
                return [results.median(name, kind, place, which) / scale for place in places]

            draw("connections.svg", f"connections, {results.entries:,} entries", places, at)
    if len(files) > 2:

        def of(name, kind, which):
            scale = 1000 if which == "p99" else 1
            return [results.median(name, kind, 32, which) / scale for results in files]

        draw("entries.svg", "entries, 32 connections", [results.entries for results in files], of)


main()

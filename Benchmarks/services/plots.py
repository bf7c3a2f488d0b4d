#!/usr/bin/env python3
"""Draws the results of compare.py, on either storage: rates and 99th percentiles.

Against connections, out of the files with several numbers of them; against entries if there are files of several sizes.
Writes SVG files into docs/plots.

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
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

FOLDER = service.TOP / "docs/plots"
KINDS = {"pair": "Clock-ins and clock-outs", "current": "Reads of the active entry", "list": "Lists of 100 entries"}
FIGURES = {"rate": "requests a second", "p99": "99th percentile, ms"}
# By storage and service: the line's name, its color and its style.
LINES = {
    ("sqlite", "timeclock"): ("Timeclock on SQLite", "tab:blue", "o-"),
    ("postgresql", "timeclock"): ("Timeclock on PostgreSQL", "tab:blue", "s--"),
    ("sqlite", "limit"): ("C, the limit on SQLite", "tab:gray", "o-"),
    ("sqlite", "hummingbird"): ("Hummingbird with GRDB on SQLite", "tab:orange", "o-"),
}
# Every file has this number of connections.
COMMON = 32


class Results:
    """One file: for each service, kind and number of connections, the rounds."""

    def __init__(self, path):
        content = json.loads(pathlib.Path(path).read_text())
        members, days = map(int, content["size"].split("x"))
        self.storage = content.get("storage", "sqlite")
        self.entries = members * days
        self.rounds = {}
        for key, rounds in content["rounds"].items():
            name, kind, connections = key.split()
            self.rounds[name, kind, int(connections)] = rounds

    @property
    def connections(self):
        return sorted({connections for _, _, connections in self.rounds})

    def value(self, name, kind, connections, figure):
        """The median of the rounds, nothing if the service was not measured; times in milliseconds."""
        rounds = [one for one in self.rounds.get((name, kind, connections), []) if one]
        return rounds and statistics.median(one[figure] for one in rounds) / (1000 if figure == "p99" else 1)


def short(number, _=None):
    """As an axis says it."""
    for unit, text in ((1e6, " M"), (1e3, " k")):
        if number >= 10 * unit or number >= 1e6:
            return f"{number / unit:g}{text}"
    return f"{number:,g}"


def draw(file, label, places, lines):
    """One row of plots for the rates, one for the percentiles.

    `lines(storage, name, kind, figure)` are pairs of a place and a value.
    """
    image, rows = pyplot.subplots(2, len(KINDS), figsize=(12, 7), sharex=True, sharey="row", layout="constrained")
    for row, (figure, title) in zip(rows, FIGURES.items()):
        for axes, (kind, what) in zip(row, KINDS.items()):
            for (storage, name), (text, color, style) in LINES.items():
                if points := [point for point in lines(storage, name, kind, figure) if point[1]]:
                    axes.plot(*zip(*points), style, color=color, markersize=4, label=text)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xticks(places, [short(place) for place in places])
            axes.xaxis.set_minor_locator(NullLocator())
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(FuncFormatter(short))
            axes.yaxis.set_minor_formatter(NullFormatter())
            axes.grid(alpha=0.3)
            axes.set_title(f"{what}: {title}", fontsize=10)
            axes.tick_params(labelsize=8, labelleft=True)
            if row[0] is rows[-1][0]:
                axes.set_xlabel(label, fontsize=9)
    image.legend(*rows[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=len(LINES), fontsize=9)
    FOLDER.mkdir(exist_ok=True)
    image.savefig(FOLDER / file, metadata={"Date": None})
    print(FOLDER / file)


def draw_connections(files):
    """Of the largest size with several numbers of connections, of as many storages as there are."""
    entries = max((results.entries for results in files if len(results.connections) > 2), default=None)
    chosen = {results.storage: results for results in files if results.entries == entries}
    if not chosen:
        return
    places = sorted({place for results in chosen.values() for place in results.connections})

    def lines(storage, name, kind, figure):
        if storage in chosen:
            for place in chosen[storage].connections:
                yield place, chosen[storage].value(name, kind, place, figure)

    draw("connections.svg", f"connections, {entries:,} entries", places, lines)


def draw_entries(files):
    places = sorted({results.entries for results in files})
    if len(places) < 3:
        return

    def lines(storage, name, kind, figure):
        for results in files:
            if results.storage == storage:
                yield results.entries, results.value(name, kind, COMMON, figure)

    draw("entries.svg", f"entries, {COMMON} connections", places, lines)


def main():
    files = sorted((Results(path) for path in sys.argv[1:]), key=lambda results: results.entries)
    if not files:
        sys.exit(__doc__)
    draw_connections(files)
    draw_entries(files)


main()

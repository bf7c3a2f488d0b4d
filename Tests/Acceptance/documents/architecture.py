#!/usr/bin/env python3
"""docs/architecture.md names every target with its imports, every thread, and only files that exist.

usage: architecture.py [--self-check]   (names left out and made up have to be found)
"""

import argparse
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[3]
PAGE = TOP / "docs/architecture.md"
# Products and system libraries as the page calls them.
CALLED = {"Logging": "swift-log", "CSQLite": "libsqlite3", "CPostgreSQL": "libpq", "CCrypto": "libcrypto"}
STARTED = re.compile(r'(?:NamedThread|BlockingPool|FairPool|Poster)\(\s*name: "([\w-]+)"|threadName = "([\w-]+)"')


def targets():
    """The targets that ship, with the names of their imports."""
    package = (TOP / "Package.swift").read_text()
    found = {}
    for kind, name, rest in re.findall(
        r"^    \.(\w+)\(\n?\s*name: \"(\w+)\"(.*?)(?=^    \.|^  \],)", package, re.M | re.S
    ):
        if kind in ("testTarget", "systemLibrary") or 'path: "Tests/' in rest:
            continue
        listed = re.search(r"dependencies: \[(.*?)\](?=,\s*\w+:|\)|,?\s*\))", rest, re.S)
        imports = re.findall(r'(?<!package: )"(\w[\w-]*)"', listed[1]) if listed else []
        found[name] = {CALLED.get(one, one) for one in imports if one != "swift-log"}
    return found


def faults(page):
    modules = page.split("## Modules")[1].split("## Threads")[0]
    rows = re.findall(r"^\| (`.*?) \| .* \| (.*) \|$", modules, re.M)
    told = {
        name: set(re.findall(r"[\w-]+", imports)) for names, imports in rows for name in re.findall(r"`(\w+)`", names)
    }
    real = targets()
    yield from (f"the table of modules has no {name}" for name in sorted(real.keys() - told.keys()))
    yield from (f"there is no target {name}" for name in sorted(told.keys() - real.keys()))
    for name, imports in real.items():
        if told.get(name, {"everything"}) & {"everything"} or not imports:
            continue
        if imports != told[name]:
            yield f"{name} imports {sorted(imports)}, and not {sorted(told[name])}"
    for left, right in re.findall(r"^  (\w[\w &]*?)(?:\[.*?\])? --> ([\w &]+)$", page, re.M):
        for one in left.split(" & "):
            for other in right.split(" & "):
                if one in real and other not in real[one]:
                    yield f"an arrow from {one} to {other}"
    threads = page.split("## Threads")[1].split("## What is left")[0]
    for path in sorted((TOP / "Sources").rglob("*.swift")):
        for name in filter(None, (one for match in STARTED.findall(path.read_text()) for one in match)):
            if f"`{name}`" not in threads:
                yield f"the table of threads has no {name}"
    files = {path.name for path in TOP.glob("Sources/**/*")} | {path.name for path in TOP.glob("sql/**/*")}
    for text in re.findall(r"`([\w/+.-]+)`", page):
        name = text.rstrip("/").rsplit("/", 1)[-1]
        if (text.endswith((".swift", "/")) or text.startswith(("Sources/", "Tests/"))) and not (
            name in files or (TOP / text).exists()
        ):
            yield f"there is no file {text}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-check", action="store_true")
    page = PAGE.read_text()
    if parser.parse_args().self_check:
        for text, other in [
            ("| `Procedures` |", "| `Proceeding` |"),
            ("`sqlite-sync`", "`sync`"),
            ("`TimeEntries/Notes.swift`", "`TimeEntries/Note.swift`"),
        ]:
            if text not in page or not list(faults(page.replace(text, other))):
                sys.exit(f"architecture: nobody saw {other} in the place of {text}")
    found = list(faults(page))
    if found:
        sys.exit("architecture: " + "; ".join(found))
    print(f"architecture: {len(targets())} targets with their imports, threads and files are as the page says")


main()

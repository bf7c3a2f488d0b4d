#!/usr/bin/env python3
"""Every link of a document to a file of this repository leads to a file, and its anchor to a heading there.

usage: links.py [--self-check]   (a file and a heading that do not exist have to be found)
"""

import argparse
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[3]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
# Comments and other files name documents in words.
NAMED = re.compile(r"\bdocs/[\w/-]+\.md\b")


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [name for name in listed.split("\0")[:-1] if (TOP / name).is_file()]


def anchors(text):
    """The anchors of a document's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *$", FENCE.sub("", text), re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        base = anchor = re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-")
        count = 0
        while anchor in found:
            count += 1
            anchor = f"{base}-{count}"
        found.add(anchor)
    return found


def faults(path, text):
    """The links of a document that lead nowhere."""
    for target, anchor in LINK.findall(FENCE.sub("", text)):
        file = (path.parent / target).resolve() if target else path
        if not file.exists():
            yield f"{path.relative_to(TOP)}: there is no {target}"
        elif anchor and file.suffix == ".md" and anchor not in anchors(text if file == path else file.read_text()):
            yield f"{path.relative_to(TOP)}: {file.name} has no heading #{anchor}"


def named(path):
    """The documents that a file names in words and that do not exist."""
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return []
    missing = {name for name in NAMED.findall(text) if not (TOP / name).exists()}
    return [f"{path.relative_to(TOP)}: there is no {name}" for name in sorted(missing)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-check", action="store_true")
    readme = TOP / "README.md"
    if parser.parse_args().self_check:
        for planted in ("[gone](gone.md)", "[gone](docs/operating.md#gone)"):
            if len(list(faults(readme, planted))) != 1:
                sys.exit(f"links: {planted} was not found")
    files = tracked()
    documents = [TOP / name for name in files if name.endswith(".md")]
    found = [fault for path in documents for fault in faults(path, path.read_text())]
    # Made-up names stand in the check of the scripts.
    found += [fault for name in files if not name.endswith("operations/scripts.py") for fault in named(TOP / name)]
    if found:
        sys.exit("links: " + "\n".join(found))
    print(f"links: those of {len(documents)} documents lead somewhere")


main()

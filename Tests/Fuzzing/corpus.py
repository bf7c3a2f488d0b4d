#!/usr/bin/env python3
"""Packs the inputs of a fuzz target into one file of text, and unpacks them for libFuzzer.

  Tests/Fuzzing/corpus.py unpack FILE FOLDER   writes each input to a file of its own, in a new folder
  Tests/Fuzzing/corpus.py pack FOLDER FILE     writes the inputs of a folder to one file

A line is an input: printable ASCII stands for itself, but for the backslash and a last space, and every other byte is
escaped: \\\\, \\n, \\r, \\t and \\x with two digits. Lines are sorted, so that a new input is one new line. libFuzzer names
an input by its SHA-1, and so does unpack.
"""

import hashlib
import pathlib
import re
import sys

NAMED = {ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
ESCAPES = [chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in range(256)]
for named, escape in NAMED.items():
    ESCAPES[named] = escape
# At the end of a line a space is escaped too, which editors would take away.
LAST_SPACE = "\\x20"
BYTES = {escape: byte for byte, escape in enumerate(ESCAPES)} | {LAST_SPACE: ord(" ")}
PART = re.compile(r"\\x[0-9a-f]{2}|\\.|.", re.ASCII | re.DOTALL)


def line(one):
    """An input as a line."""
    text = "".join(ESCAPES[byte] for byte in one)
    return text[:-1] + LAST_SPACE if text.endswith(" ") else text


def packed(inputs):
    """The file of these inputs."""
    return "".join(f"{text}\n" for text in sorted(map(line, inputs)))


def unpacked(text):
    """The inputs of a file; a file that `packed` would not have written is refused, so that each input has one form."""
    inputs = set()
    for number, escaped in enumerate(text.split("\n")[:-1], 1):
        parts = PART.findall(escaped)
        unknown = [part for part in parts if part not in BYTES]
        if unknown:
            sys.exit(f"corpus: line {number}: {unknown[0]!a} is no byte as `pack` writes one")
        inputs.add(bytes(BYTES[part] for part in parts))
    if packed(inputs) != text:
        sys.exit("corpus: the lines are not sorted, one stands twice, or the last has no end")
    return inputs


def unpack(file, folder):
    inputs = unpacked(pathlib.Path(file).read_bytes().decode("latin-1"))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    for one in inputs:
        (folder / hashlib.sha1(one).hexdigest()).write_bytes(one)


def pack(folder, file):
    text = packed({path.read_bytes() for path in pathlib.Path(folder).iterdir()})
    pathlib.Path(file).write_bytes(text.encode())


def main():
    commands = {"unpack": unpack, "pack": pack}
    if len(sys.argv) != 4 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()

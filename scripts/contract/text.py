"""YAML as text, line by line: keys with the lines below them, and the short lists and maps in brackets."""

import dataclasses
import re


class Fault(Exception):
    """Something in the sources that cannot be joined."""


def require(condition, fault):
    if not condition:
        raise Fault(fault)


@dataclasses.dataclass
class Block:
    """A key of YAML with everything below it."""

    key: str
    # The lines, that of the key among them.
    lines: list

    @property
    def value(self):
        """The text behind the key in its line."""
        return self.lines[0].lstrip().removeprefix(f"{self.key}:").strip()

    def below(self, width=2):
        """The lines below the key, as if they stood there alone: of a map in braces those that it stands for."""
        return unfolded(self.value) if self.value.startswith("{") else [line[width:] for line in self.lines[1:]]


def blocks(lines, indentation, place):
    """The lines apart, by the keys that are indented this much."""
    found = []
    for line in lines:
        match = re.match(" " * indentation + r"([^\s#'-][^\s:]*|'[^']*'):(?= |$)", line)
        if match:
            found.append(Block(match[1], [line]))
        else:
            deeper = line == "" or line.startswith(" " * (indentation + 1))
            require(found and deeper, f"{place}: not indented like what is around it: {line!r}")
            found[-1].lines.append(line)
    repeated = {block.key for block in found if [one.key for one in found].count(block.key) > 1}
    require(not repeated, f"{place}: twice there: {', '.join(sorted(repeated))}")
    return found


def indented(lines, width):
    return [" " * width + line if line else line for line in lines]


def read_lines(path):
    text = path.read_text()
    require("\t" not in text, f"{path}: a tab")
    return text.removesuffix("\n").split("\n")


def flow_items(text):
    """The texts between the commas of a list or a map in brackets, and in no brackets or quotes inside of it."""
    parts = re.findall(r"(?:'[^']*'|\[[^\]]*\]|\{[^}]*\}|[^,'\[{])+", text[1:-1])
    return [re.sub(r" +", " ", part.strip()) for part in parts]


def flow_list(block, place):
    """The items of a list: in brackets, which may go over several lines, or each behind a hyphen."""
    if block.value == "" and all(line.lstrip().startswith("- ") for line in block.lines[1:]):
        return [line.lstrip()[2:] for line in block.lines[1:]]
    text = " ".join(line.strip() for line in block.lines).removeprefix(f"{block.key}:").strip()
    require(text.startswith("[") and text.endswith("]"), f"{place}: {block.key} is no list in brackets")
    return flow_items(text)


def unfolded(text):
    """A map in braces, as lines with a key each."""
    require(text.endswith("}"), f"no map in braces: {text}")
    return flow_items(text)

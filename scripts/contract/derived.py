"""Lists that follow from the rest of the contract.

In a list in brackets of its own line, `kinds` stands for the kinds of resources that the log has (in `anyOf` for their
schemas), and `operations` for the operations that may change something.
"""

import re
import textwrap

from contract.keywords import reference
from contract.text import blocks, flow_items, indented, read_lines, require

LIST = re.compile(r"( *)(enum|x-known-values|anyOf): (\[.*\])")


class Derived:
    """The lists, from the lines of all schemas and the files with paths."""

    def __init__(self, schemas, folder):
        # The schemas of the kinds, by the words for these.
        self.kinds = {}
        for block in blocks(schemas, 0, "schemas/"):
            for line in block.lines:
                if match := re.fullmatch(r"  x-resource: \{kind: (\w+)[,}].*", line):
                    require(match[1] not in self.kinds, f"twice there: the kind {match[1]}")
                    self.kinds[match[1]] = block.key
        self.operations = [one for path in sorted(folder.iterdir()) for one in changing(path)]

    def lines(self, line):
        """The lines that one of the sources stands for."""
        match = LIST.fullmatch(line)
        if not match or not {"kinds", "operations"} & set(items := flow_items(match[3])):
            return [line]
        indentation, keyword = len(match[1]), match[2]
        if keyword == "anyOf":
            refs = [reference(schema) for schema in self.kinds.values()]
            found = [f"- {one}" for item in items for one in (refs if item == "kinds" else [f"type: {item}"])]
            return indented(["anyOf:", *indented(found, 2)], indentation)
        derived = {"kinds": list(self.kinds), "operations": self.operations}
        words = f"[{', '.join(one for item in items for one in derived.get(item, [item]))}]"
        wrapped = textwrap.wrap(words, 110 - indentation, subsequent_indent=" ")
        return indented([f"{keyword}:", *indented(wrapped, 2)], indentation)


def changing(path):
    """The names of a file's operations that are not GET."""
    place = f"paths/{path.name}"
    for one in blocks(read_lines(path), 0, place):
        for method in blocks(one.below(), 0, place):
            if method.key in ("post", "put", "patch", "delete"):
                yield next(key.value for key in blocks(method.below(), 0, place) if key.key == "operationId")

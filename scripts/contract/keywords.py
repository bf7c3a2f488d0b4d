"""A schema in the sources and in the contract.

It is a map of its keywords, each with its lines; of `properties` it has the schemas by their names, of `items` the schema.
"""

import re
import textwrap

from contract.text import Block, blocks, flow_list, indented, require, unfolded

NAME = re.compile(r"[A-Z][A-Za-z]*")
# The order in which keywords are written; all others follow.
ORDER = (
    *("title", "description", "type", "format", "additionalProperties", "required", "properties"),
    *("minLength", "maxLength", "minimum", "maximum", "pattern", "minItems", "maxItems", "x-this-version"),
)
# Keywords that a request states itself, even about a property of the resource.
OWN_WORDS = ("description", "default", "x-known-values")


def reference(name, kind="schemas"):
    return f"$ref: '#/components/{kind}/{name}'"


def parsed(lines, place):
    """A schema of its lines."""
    schema = {}
    for block in blocks(lines, 0, place):
        if block.key == "properties":
            schema["properties"] = {
                one.key: nested(one, f"{place}.{one.key}") for one in blocks(block.below(), 0, place)
            }
        elif block.key == "items":
            schema["items"] = nested(block, place)
        else:
            schema[block.key] = block.lines
    return schema


def nested(block, place):
    """The schema behind a key: one of ours by its name, or its keywords."""
    if NAME.fullmatch(block.value):
        return {"type": [f"type: {block.value}"]}
    require(block.value == "" or block.value.startswith("{"), f"{place}: no schema: {block.value}")
    return parsed(block.below(), place)


def written(schema):
    """The lines of a schema, as OpenAPI has them."""
    lines = []
    for keyword in sorted(schema, key=lambda one: ORDER.index(one) if one in ORDER else len(ORDER)):
        if keyword == "properties":
            lines.append("properties:")
            for name, one in schema["properties"].items():
                lines += [f"  {name}:", *indented(written(one), 4)]
        elif keyword == "items":
            lines += ["items:", *indented(written(schema["items"]), 2)]
        elif keyword == "type":
            lines += typed(value(schema, "type"))
        else:
            lines += schema[keyword]
    return lines


def typed(name):
    """The lines of a type: a capital letter begins the name of one of our schemas."""
    if NAME.fullmatch(name):
        return [reference(name)]
    if match := re.fullmatch(rf"\[({NAME.pattern}), 'null'\]", name):
        return ["oneOf:", f"  - {reference(match[1])}", "  - type: 'null'"]
    return [f"type: {name}"]


def value(schema, keyword):
    """A keyword's value in its line; empty if it is not there."""
    return Block(keyword, schema[keyword]).value if keyword in schema else ""


def names(schema, keyword, place):
    """A keyword's list; nothing if it is not there."""
    return flow_list(Block(keyword, schema[keyword]), place) if keyword in schema else []


def merged(base, own):
    """The keywords of both: a schema's own count, and one that is empty takes the other's away."""
    keywords = {**base, **own}
    return {key: lines for key, lines in keywords.items() if lines != [f"{key}:"]}


def asked_for(schema):
    """The property of an answer as one of a request: its limits hold now, and the words are the request's own."""
    keywords = {key: lines for key, lines in schema.items() if key not in OWN_WORDS}
    if limits := keywords.pop("x-this-version", None):
        keywords |= {line.split(":")[0]: [line] for line in unfolded(Block("x-this-version", limits).value)}
    if value(schema, "type").strip("[]").split(",")[0] == "Instant":
        keywords["type"] = ["type: InstantInput"]
    return keywords


def required_line(found):
    """`required`, in as many lines as it takes."""
    line = f"required: [{', '.join(found)}]"
    if len(line) <= 114:
        return [line]
    return ["required:", *indented(textwrap.wrap(f"[{', '.join(found)}]", 112), 2)]

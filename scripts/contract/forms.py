"""Parameters, bodies and responses: their short forms, and the OpenAPI that these stand for."""

from contract.keywords import NAME, nested, reference, written
from contract.text import Block, blocks, flow_list, indented, require

# The places of parameters.
PLACES = ("path", "query", "header")
CHANGED = """
description: The {noun} has changed since the version in `If-Match`. Nothing has changed now.
headers: [ETag]
schema: {title}ChangedProblem
"""


def parameter(lines, place):
    """A parameter of its lines: `query: name` is its name and its place. One of a path has to be there, any other says so."""
    keys = {block.key: block.lines for block in blocks(lines, 0, place)}
    where = next((one for one in PLACES if one in keys), None)
    if "in" in keys or "$ref" in keys:
        return lines
    require(where, f"{place}: a parameter is of no place")
    first = {"name": [f"name: {Block(where, keys.pop(where)).value}"], "in": [f"in: {where}"]}
    needed = [f"required: {'true' if where == 'path' else 'false'}"]
    if "schema" in keys:
        shown = written(nested(Block("schema", keys["schema"]), place))
        keys["schema"] = ["schema:", *indented(shown, 2)]
    return [line for one in ({**first, "required": needed} | keys).values() for line in one]


def parameters(block, place):
    """The items of a list of parameters, each with its lines: names are those of shared ones, one or several in an item."""
    if "".join(block.lines).removeprefix("parameters:").lstrip().startswith("["):
        return shared_parameters(block, place)
    items = []
    for line in block.below():
        require(items or line.startswith("- "), f"{place}: parameters are no list")
        if line.startswith("- "):
            items.append([])
        items[-1].append(line[2:])
    made = []
    for first, *others in items:
        if NAME.fullmatch(first) or first.startswith("["):
            names = Block("names", [f"names: {first if first.startswith('[') else f'[{first}]'}", *others])
            made += shared_parameters(names, place)
        else:
            made.append(parameter([first, *others], place))
    return made


def shared_parameters(block, place):
    return [[reference(name, "parameters")] for name in flow_list(block, place)]


def listed(items):
    """The lines of a list of blocks."""
    return [("- " if number == 0 else "  ") + line for item in items for number, line in enumerate(item)]


def content(schema, example):
    """The content of a body of JSON."""
    kind = "problem+json" if schema.endswith("Problem") else "json"
    return ["content:", f"  application/{kind}:", "    schema:", f"      {reference(schema)}", *indented(example, 4)]


def body(lines, place):
    """The body of a request, which has to be there unless it says otherwise."""
    keys = {block.key: block for block in blocks(lines, 0, place)}
    if "schema" not in keys:
        return lines
    needed = keys["required"].value if "required" in keys else "true"
    require("example" in keys, f"{place}: a body without an example")
    return [f"required: {needed}", *content(keys["schema"].value, keys["example"].lines)]


def response(block, schemas, place):
    """A response: the name of a shared one, or its description, header fields and schema."""
    if NAME.fullmatch(block.value):
        return [reference(block.value, "responses")]
    lines = block.below()
    keys = {one.key: one for one in blocks(lines, 0, place)}
    if "changed" in keys:
        name = keys.pop("changed").value
        lines = CHANGED.format(noun=schemas.noun(name), title=schemas.title(name)).strip().split("\n")
        keys = {one.key: one for one in blocks(lines, 0, place)}
    made = []
    for one in keys.values():
        if one.key == "headers" and one.value:
            made.append("headers:")
            for field in flow_list(one, place):
                shared = reference(field.replace("-", ""), "headers")
                made += [f"  {field.removeprefix('Weak')}:", f"    {shared}"]
        elif one.key == "schema":
            made += content(one.value, keys["example"].lines if "example" in keys else [])
        elif one.key != "example":
            made += one.lines
    return made

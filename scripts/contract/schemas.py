"""All schemas: their long forms, and those that come with a resource."""

from contract.keywords import NAME, asked_for, merged, names, parsed, required_line, value, written
from contract.text import Block, blocks, flow_list, indented, require, unfolded

# The members of every record.
HEAD = """
id: ID
organizationID: ID
createdAt: Instant
updatedAt: Instant
version: Version
"""
PAGE = """
properties:
  {page}:
    type: array
    items: {name}
  nextCursor:
    description: The `cursor` of the next page; null on the last one.
    type: [string, 'null']
"""
CHANGED = """
description: A problem with the present state of the {changed}.
x-problem: 412
required: [current]
properties:
  current: {name}
"""
# The body that makes several at once, and its answer; `BulkOutcome` is that of time entries.
MANY = """
additionalProperties: false
required: [mode, rows]
properties:
  mode: BulkMode
  rows: {{type: array, minItems: 1, maxItems: 500, items: Create{name}Request}}
"""
OUTCOME = """
x-extends: BulkOutcome
properties:
  created:
    description: How many were created.
  refused:
    description: How many were refused.
  results:
    description: The outcome of each, in the order of the request.
    items: {name}BulkResult
"""
RESULT = """
description: One that is kept, or one that is refused.
x-optional: [{kind}, problem]
properties:
  index:
    description: The place in the request, from 0 on.
    type: integer
    x-this-version: {{minimum: 0, maximum: 499}}
  status:
    description: The status that `create{name}` would have answered, 201 if it is kept.
    type: integer
    x-known-values: [201, 404, 409, 422]
  {kind}:
    description: With 201.
    type: {name}
  problem:
    description: With every other status.
    type: BulkProblem
x-this-version:
  oneOf:
    - required: [{kind}]
      properties:
        status: {{const: 201}}
        problem: {{type: 'null'}}
    - required: [problem]
      properties:
        status: {{enum: [404, 409, 422]}}
        {kind}: {{type: 'null'}}
"""


class Schemas:
    """All schemas, by their names."""

    def __init__(self, lines):
        self.sources, self.made, self.nouns = {}, {}, {}
        for block in blocks(lines, 0, "schemas/"):
            require(block.key not in self.sources, f"twice there: {block.key}")
            source = self.sources[block.key] = parsed(block.below(), block.key)
            if "x-resource" in source:
                self._add_resource(block.key, source)

    def _add_resource(self, name, source):
        """The schemas that come with a resource, and the properties that it shares with all others."""
        resource = dict(line.split(": ") for line in unfolded(value(source, "x-resource")))
        del source["x-resource"]
        require(
            resource.keys() <= {"kind", "page", "changed", "head", "bulk"},
            f"{name}: x-resource has keys that are not known",
        )
        if resource.pop("head", None):
            head = parsed(["properties:", *indented(HEAD.strip().split("\n"), 2)], name)["properties"]
            first = {key: head.pop(key) for key in ("id", "organizationID")}
            source["properties"] = {**first, **source["properties"], **head}
        if "changed" in resource:
            self.nouns[name] = resource["changed"]
        if "page" in resource:
            self._add(f"{name}Page", PAGE.format(name=name, **resource))
        if resource.pop("bulk", None):
            many = resource["page"]
            self._add(f"Create{many[0].upper()}{many[1:]}Request", MANY.format(name=name))
            self._add(f"{name}BulkOutcome", OUTCOME.format(name=name))
            self._add(f"{name}BulkResult", RESULT.format(name=name, **resource))
        if "changed" in resource:
            self._add(f"{self.title(name)}ChangedProblem", CHANGED.format(name=name, **resource))

    def _add(self, name, text):
        require(name not in self.sources, f"twice there: {name}")
        self.sources[name] = parsed(text.strip().split("\n"), name)

    def noun(self, name):
        """The noun for a resource in texts."""
        require(name in self.nouns, f"{name} is no resource that can have changed")
        return self.nouns[name]

    def title(self, name):
        """The noun of a resource as a part of names."""
        return "".join(word.capitalize() for word in self.noun(name).split())

    def lines(self):
        return [line for name in self.sources for line in (f"{name}:", *indented(written(self.whole(name)), 2))]

    def whole(self, name):
        """A schema with everything that its short form leaves out."""
        require(name in self.sources, f"there is no schema {name}")
        if name not in self.made:
            self.made[name] = self._whole(name, dict(self.sources[name]))
        return self.made[name]

    def _whole(self, name, schema):
        if "properties" in schema:
            schema["properties"] = dict(schema["properties"])
        if "x-problem" in schema:
            self._add_problem(name, schema)
        if "x-extends" in schema:
            self._add_properties(name, schema)
        if "x-input-of" in schema:
            self._add_inputs(name, schema)
        if "properties" in schema:
            schema.setdefault("type", ["type: object"])
            if value(schema, "additionalProperties") == "false":
                self._allow_null(name, schema)
            elif "required" not in schema:
                optional = names(schema, "x-optional", name)
                schema["required"] = [key for key in schema["properties"] if key not in optional]
        if found := schema.pop("required", None):
            found = flow_list(Block("required", found), name) if found[0].startswith("required:") else found
            schema["required"] = required_line(found)
        schema.pop("x-optional", None)
        return {"title": [f"title: {name}"], **schema}

    def _add_problem(self, name, schema):
        """The properties of `Problem`, but for `error`, which those that have it state."""
        least, _, most = value(schema, "x-problem").partition("-")
        del schema["x-problem"]
        problem, own = self.whole("Problem"), schema.get("properties", {})
        properties = {key: one for key, one in problem["properties"].items() if key != "error" or key in own}
        limits = f"x-this-version: {{minimum: {least}, maximum: {most or least}}}"
        properties["status"] = merged(properties["status"], {"x-this-version": [limits]})
        properties["type"] = merged(properties["type"], {"description": ["description:"]})
        schema["required"] = names(problem, "required", "Problem") + names(schema, "required", name)
        schema["properties"] = {key: merged(one, own.get(key, {})) for key, one in properties.items()} | {
            key: one for key, one in own.items() if key not in properties
        }

    def _add_properties(self, name, schema):
        """The properties of another schema, before its own if `x-extends` stands before them, else behind them."""
        keywords = list(schema)
        base = self.whole(value(schema, "x-extends"))
        require("properties" in schema, f"{name} is {value(schema, 'x-extends')} itself")
        own = schema["properties"]
        inherited = {key: merged(one, own.get(key, {})) for key, one in base["properties"].items()}
        added = {key: one for key, one in own.items() if key not in inherited}
        is_first = keywords.index("x-extends") < keywords.index("properties")
        schema["properties"] = {**inherited, **added} if is_first else {**added, **inherited}
        optional = inherited.keys() - set(names(base, "required", name))
        schema["x-optional"] = [f"x-optional: [{', '.join([*names(schema, 'x-optional', name), *optional])}]"]
        del schema["x-extends"]

    def _add_inputs(self, name, schema):
        """The properties that are stated, each as in the first of these schemas that has it."""
        bases = names(schema, "x-input-of", name)
        kept = names(schema, "x-keeps", name)
        refusal = schema.pop("x-refusal", None)
        del schema["x-input-of"]
        schema.pop("x-keeps", None)
        schema["additionalProperties"] = ["additionalProperties: false"]
        for key, own in schema["properties"].items():
            base = next((found for base in bases if (found := self._input(base, key, kept)) is not None), {})
            schema["properties"][key] = merged(base, own)
            require(schema["properties"][key], f"{name}: nothing says what {key} is")
            if refusal and "minimum" in schema["properties"][key]:
                schema["properties"][key].setdefault("x-refusal", refusal)

    def _input(self, base, key, kept):
        """The property of another schema as one of a request; None if that has none."""
        whole = self.whole(base)
        if key not in whole["properties"]:
            return None
        found = whole["properties"][key]
        if value(whole, "additionalProperties") == "false":
            return found
        return asked_for(found) | {keyword: found[keyword] for keyword in kept if keyword in found}

    def _allow_null(self, name, schema):
        """In a request, properties that are not required may be null, and those that say so themselves."""
        needed = names(schema, "required", name)
        own = self.sources[name]["properties"]
        for key, one in schema["properties"].items():
            if "type" in one:
                kind = value(one, "type").removeprefix("[").removesuffix(", 'null']")
                may_be_null = key not in needed or value(own[key], "type").endswith(", 'null']")
                is_null = may_be_null and not self._has_null(kind)
                schema["properties"][key] = {**one, "type": [f"type: [{kind}, 'null']" if is_null else f"type: {kind}"]}

    def _has_null(self, kind):
        """Whether a type is the name of a schema that may be null itself."""
        return bool(NAME.fullmatch(kind)) and "'null'" in value(self.whole(kind), "type")

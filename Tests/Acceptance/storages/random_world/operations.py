"""The operations of the contract, with the values to draw for each."""

import dataclasses
import re

from kit import contract

CONTRACT = contract.Contract()
# With the values that this version knows, and the limits that it keeps to.
DOCUMENT = CONTRACT.closed()


def resolved(schema):
    """The schema itself, behind all references, and without the choice between it and null."""
    while "$ref" in schema or "oneOf" in schema:
        if "oneOf" in schema:
            schema = next(one for one in schema["oneOf"] if one != {"type": "null"})
        else:
            schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def has_null(schema):
    return {"type": "null"} in schema.get("oneOf", []) or "null" in schema.get("type", [])


@dataclasses.dataclass(frozen=True)
class Operation:
    id: str
    method: str
    # The role required; None if nobody needs a token.
    role: str | None
    # Text and the names of ids, in turn.
    parts: tuple
    # The schemas of its parameters in the query, and the names of those that are required.
    query: dict
    needed: frozenset
    # The names of its header fields.
    fields: frozenset
    # The schema of its body, and whether there has to be one; None if it takes none, or no JSON.
    body: dict | None
    has_body: bool
    # The name of the list in its answer, if that is a page.
    page: str | None

    @property
    def ids(self):
        return self.parts[1::2]

    @property
    def is_for_log_ins(self):
        """Whether API tokens are refused, as they are for members' own timers and telephones."""
        return any(word in "".join(self.parts) for word in ("/timer", "/liveActivity", "/pushTargets"))

    @property
    def collections(self):
        """The names of the ids in its path, each with the word before it: `projects` in `/projects/{projectId}`."""
        return [(name, last_word(text)) for text, name in zip(self.parts[::2], self.parts[1::2])]

    @property
    def makes(self):
        """The noun for a record made by a POST to its path, by the path's last word."""
        return last_word(self.parts[-1])

    def path(self, ids):
        """The parts of the path with these ids, in their order."""
        parts = list(self.parts)
        parts[1::2] = ids
        return [part for part in parts if part != ""]


def last_word(path):
    return path.strip("/").rpartition("/")[2]


def operation(path, method, stated):
    parameters = [CONTRACT.resolved(one) for one in stated.get("parameters", [])]
    query = {one["name"]: one["schema"] for one in parameters if one["in"] == "query"}
    body = stated.get("requestBody", {})
    answers = stated["responses"].get("200", {}).get("content", {}).get("application/json", {}).get("schema", {})
    found = resolved(answers).get("properties", {}) if "cursor" in query else {}
    return Operation(
        stated["operationId"],
        method.upper(),
        stated.get("x-required-role"),
        tuple(re.split(r"\{(\w+)\}", path)),
        {name: schema for name, schema in query.items() if name != "cursor"},
        frozenset(one["name"] for one in parameters if one["in"] == "query" and one.get("required")),
        frozenset(one["name"] for one in parameters if one["in"] == "header"),
        body.get("content", {}).get("application/json", {}).get("schema"),
        body.get("required", False),
        next((name for name, schema in found.items() if schema.get("type") == "array"), None),
    )


OPERATIONS = {
    stated["operationId"]: operation(path, method, stated)
    for path, item in CONTRACT.document["paths"].items()
    for method, stated in item.items()
}

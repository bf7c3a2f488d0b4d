"""openapi.yaml as the acceptance tests read it. Needs PyYAML, so the Python of scripts/install-python-packages."""

import dataclasses
import re

import yaml

from kit import service

# The roles that may do more than their own: the operations that ask for these.
RANKS = {
    "operator": {"operator"},
    "member": {"user", "member"},
    "manager": {"user", "member", "manager"},
    "admin": {"user", "member", "manager", "admin"},
}


@dataclasses.dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    # None if no token is needed.
    role: str | None
    # The codes that the problems of each status may carry.
    codes: dict
    # The names of the parameters, those of the path among them.
    parameters: frozenset

    def is_for(self, role):
        return self.role is None or self.role in RANKS[role]


class Contract:
    def __init__(self, text=None):
        self.text = text or (service.TOP / "openapi.yaml").read_text()
        self.document = yaml.safe_load(self.text)
        operations = [
            self._operation(path, item, method, item[method])
            for path, item in self.document["paths"].items()
            for method in ("get", "put", "post", "patch", "delete")
            if method in item
        ]
        self.operations = {operation.id: operation for operation in operations}
        # The codes of answers that can meet any request and are not repeated with each operation.
        problems = next(tag["description"] for tag in self.document["tags"] if tag["name"] == "Problems")
        own = problems.split("These answers are the server's own")[1]
        self.server_codes = frozenset(
            code for row in re.findall(r"^\|([^|]*`[^|]*)\|", own, re.M) for code in re.findall(r"`(\w+)`", row)
        )
        assert self.server_codes and self.operations, "openapi.yaml has lost its operations or its table of problems"

    def closed(self):
        """The document as the service is held to it: the published one leaves answers open to later versions.

        A shared schema with properties and without `additionalProperties` gets false. Everywhere `x-known-values`
        becomes `enum`, and the content of `x-this-version` stands beside it.
        """
        document = of_this_version(self.document)
        closed = {name: closed_schema(schema) for name, schema in document["components"]["schemas"].items()}
        return document | {"components": document["components"] | {"schemas": closed}}

    def _operation(self, path, item, method, operation):
        parameters = [self.resolved(one) for one in item.get("parameters", []) + operation.get("parameters", [])]
        return Operation(
            operation["operationId"],
            method.upper(),
            path,
            operation.get("x-required-role"),
            {int(status): frozenset(codes) for status, codes in operation["x-codes"].items()},
            frozenset(parameter["name"] for parameter in parameters),
        )

    def resolved(self, value):
        """The value, or the target of its reference."""
        while "$ref" in value:
            target = self.document
            for name in value["$ref"].removeprefix("#/").split("/"):
                target = target[name]
            value = target
        return value


def of_this_version(value):
    """A part of the contract with all that only this version keeps to."""
    if isinstance(value, list):
        return [of_this_version(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for name, member in value.items():
        member = of_this_version(member)
        match name:
            case "x-known-values":
                found["enum"] = member
            case "x-this-version":
                assert not found.keys() & member.keys(), f"stands there already: {member}"
                found |= member
            case _:
                found[name] = member
    return found


def closed_schema(schema):
    """The schema without room for members that it does not declare."""
    closed = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            value = {name: closed_schema(member) for name, member in value.items()}
        elif keyword == "items":
            value = closed_schema(value)
        elif keyword in ("allOf", "anyOf", "oneOf"):
            value = [closed_schema(one) for one in value]
        closed[keyword] = value
    if "object" in schema.get("type", []) and "properties" in schema:
        closed.setdefault("additionalProperties", False)
    return closed

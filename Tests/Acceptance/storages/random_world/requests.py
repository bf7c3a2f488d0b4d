"""A request to two sides: an id or a token differs between the sides, and stands in it as a pair."""

import collections


class Pair(collections.namedtuple("Pair", "first second")):
    """The differences between the sides."""


def rendered(value, side):
    """A value as one side has it."""
    if isinstance(value, Pair):
        return value[side]
    if isinstance(value, dict):
        return {name: rendered(part, side) for name, part in value.items()}
    if isinstance(value, list):
        return [rendered(part, side) for part in value]
    return value


class Request:
    def __init__(self, name, method, path, token=None, body=None, fields=()):
        """`path` is a list of its parts; a `body` of bytes is sent as it is."""
        self.name = name
        self.method = method
        self.path = path
        self.token = token
        self.body = body
        self.fields = list(fields)

    def request(self, side):
        """The arguments of `Client.send`."""
        return (
            self.method,
            "".join(rendered(self.path, side)),
            rendered(self.token, side),
            rendered(self.body, side),
            [tuple(rendered(list(field), side)) for field in self.fields],
        )

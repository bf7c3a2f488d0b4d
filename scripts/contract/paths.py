"""The paths, with their operations."""

import re

from contract.forms import body, listed, parameters, response
from contract.keywords import reference
from contract.routes import access
from contract.text import Block, Fault, blocks, flow_list, indented, require

METHODS = ("get", "put", "post", "patch", "delete")


class Operation:
    """One operation of a file of paths."""

    def __init__(self, lines, shared, tag, contract, place):
        # The parameters of the path, which every operation of it has.
        self.shared, self.tag, self.problems, self.schemas = shared, tag, contract.problems, contract.schemas
        self.parts = blocks(lines, 0, place)
        keys = {part.key: part for part in self.parts}
        self.place = f"{place}: {keys['operationId'].value}" if "operationId" in keys else place
        for needed in ("operationId", "x-problems", "responses"):
            require(needed in keys, f"{self.place}: no {needed}")
        self.route = f"{keys['operationId'].value} {access(keys, self.place)}"
        for made in ("tags", "x-codes"):
            require(made not in keys, f"{self.place}: {made} is made by the script")
        try:
            self.codes = self.problems.by_status(flow_list(keys["x-problems"], self.place))
        except Fault as fault:
            raise Fault(f"{self.place}: {fault}") from None

    def joined(self):
        lines = []
        has_own = any(part.key == "parameters" for part in self.parts)
        for part in self.parts:
            if part.key == "x-problems":
                lines.append("x-codes:")
                lines += [f"  '{status}': [{', '.join(codes)}]" for status, codes in self.codes.items()]
                if self.shared and not has_own:
                    lines += ["parameters:", *indented(listed(self.shared), 2)]
            elif part.key == "parameters":
                lines += ["parameters:", *indented(listed(self.shared + parameters(part, self.place)), 2)]
            elif part.key == "requestBody":
                lines += ["requestBody:", *indented(body(part.below(), self.place), 2)]
            elif part.key == "responses":
                lines += ["responses:", *indented(self._responses(part.below()), 2)]
            else:
                lines += part.lines
            if part.key == "operationId":
                lines.append(f"tags: [{self.tag}]")
        return lines

    def _responses(self, lines):
        stated = {}
        for block in blocks(lines, 0, self.place):
            status = block.key.strip("'")
            usual = self.problems.responses.get(status)
            require(int(status) < 400 or status in self.codes, f"{self.place}: {status} without a code in x-problems")
            require(block.value != usual, f"{self.place}: the usual response of {status} is added by the script")
            stated[status] = response(block, self.schemas, self.place)
        for status in self.codes.keys() - stated.keys():
            require(status in self.problems.responses, f"{self.place}: no response for {status}")
            stated[status] = [reference(self.problems.responses[status], "responses")]
        return [line for status in sorted(stated) for line in (f"'{status}':", *indented(stated[status], 2))]


class Paths:
    """All paths, in the order of the tags."""

    def __init__(self, contract):
        self.contract, self.paths = contract, {}
        # The operations of each path: method, operationId and access.
        self.routes = {}

    def add(self, path, tag, place):
        """A path with its operations."""
        require(path.key not in self.paths, f"{place}: {path.key} is in another file too")
        parts = blocks(path.below(), 0, path.key)
        own = next((part for part in parts if part.key == "parameters"), Block("parameters", ["parameters: []"]))
        stated = {line.partition("path: ")[2] for line in own.lines}
        shared = [
            [reference(self.contract.path_parameters[name], "parameters")]
            for name in re.findall(r"\{(\w+)\}", path.key)
            if name not in stated and name in self.contract.path_parameters
        ] + parameters(own, path.key)
        lines = self.paths[path.key] = [path.lines[0]]
        routes = self.routes[path.key] = []
        for part in parts:
            if part.key != "parameters":
                require(part.key in METHODS, f"{path.key}: {part.key} is no method")
                operation = Operation(part.below(), shared, tag, self.contract, path.key)
                lines += [f"  {part.key}:", *indented(operation.joined(), 4)]
                routes.append(f"{part.key.upper()} {operation.route}")

    def lines(self):
        return [line for lines in self.paths.values() for line in lines]

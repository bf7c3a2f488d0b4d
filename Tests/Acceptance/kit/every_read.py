"""Every GET that openapi.yaml knows, in all its forms: for checks of data that must appear nowhere."""

import urllib.parse

FIXED = {"limit": "1000", "seconds": "0"}
# Parameters that continue a list, or make another answer.
LEFT_OUT = {"cursor", "limit", "seconds"}
# Parameters that an operation demands and no schema does, because another may stand in their place.
DEMANDED = {"reportHours": {"startDate", "endDate"}}
IN_PLACE = {"range": {"startDate", "endDate"}}


class EveryRead:
    """The paths with their queries, made from a contract and the known ids of an organization."""

    def __init__(self, contract, known):
        """`known` has the ids by the names of parameters; one for a path's parameter is an error if it lacks."""
        self.contract = contract
        self.known = known

    def operations(self):
        return [one for one in self.contract.operations.values() if one.method == "GET"]

    def paths(self, operation):
        """The operation with its required parameters, and then with each other parameter, in each of its values."""
        parameters = self.parameters(operation)
        path = operation.path
        for one in parameters:
            if one["in"] == "path":
                path = path.replace("{" + one["name"] + "}", self.known[one["name"]])
        in_query = [one for one in parameters if one["in"] == "query"]
        fixed = {one["name"]: FIXED[one["name"]] for one in in_query if one["name"] in FIXED}
        needed = DEMANDED.get(operation.id, set())
        demanded = fixed | {
            one["name"]: self.values(one)[0] for one in in_query if one.get("required") or one["name"] in needed
        }
        yield written(path, demanded)
        for one in in_query:
            if one["name"] not in LEFT_OUT:
                others = {name: demanded[name] for name in demanded.keys() - IN_PLACE.get(one["name"], set())}
                for value in self.values(one):
                    yield written(path, others | {one["name"]: value})

    def parameters(self, operation):
        item = self.contract.document["paths"][operation.path]
        return [self.contract.resolved(one) for one in item.get("parameters", []) + item["get"].get("parameters", [])]

    def values(self, parameter):
        """Values that a parameter may have: all if they are few."""
        schema = self.contract.resolved(parameter["schema"])
        if parameter["name"] in self.known:
            return [self.known[parameter["name"]]]
        if schema.get("type") == "array":
            items = self.contract.resolved(schema["items"])
            return items.get("enum") or items.get("x-known-values") or [",".join(parameter["example"])]
        if schema.get("type") == "boolean":
            return ["true", "false"]
        if schema.get("type") == "integer":
            return [str(parameter.get("example", 0))]
        values = schema.get("enum") or schema.get("x-known-values") or [parameter.get("example")]
        return [value for value in values if value is not None]


def written(path, parameters):
    return path + ("?" + urllib.parse.urlencode(parameters) if parameters else "")

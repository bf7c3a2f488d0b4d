"""The answers that openapi.yaml documents, read without a parser of YAML."""

import re

from kit import service


class Answers:
    """Which answers the contract has for an operation."""

    def __init__(self):
        self.text = (service.TOP / "openapi.yaml").read_text()
        self.known = {}

    def of(self, operation):
        """The statuses of success, and the codes of each status of a problem."""
        if operation not in self.known:
            part = self.text.split(f"operationId: {operation}\n")[1].split("operationId: ")[0]
            codes = part.split("x-codes:\n")[1]
            lines = re.findall(r"^        '(\d+)': \[(.*)\]$", codes, re.M)
            successes = {int(status) for status in re.findall(r"^        '(2\d\d)':$", part, re.M)}
            self.known[operation] = (successes, {int(status): set(names.split(", ")) for status, names in lines})
        return self.known[operation]

    def fault(self, operation, body, answer):
        """The faults of an answer; None if there are none."""
        successes, codes = self.of(operation)
        if answer.status >= 500:
            return f"{operation} with {body} could not be done: {answer}"
        if answer.status in successes or answer.code in codes.get(answer.status, ()):
            return None
        return f"{operation} with {body} has an answer that the contract has not: {answer}"

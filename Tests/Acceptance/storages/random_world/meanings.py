"""The meaning of operations, as far as the contract does not say it: values drawn so that much succeeds, and ids
learned.

A method `KIND_OPERATION` is asked for an operation: `ids`, `token` and `query` in place of those that are drawn, `body`
for members of the body that are drawn otherwise, `request` for body, query and header fields, `after` for a success.
`value_NAME` draws what has this name in any operation.
"""

from random_world.entries import Entries
from random_world.people import People
from random_world.reports import Reports
from random_world.values import SECRET


class Meanings(People, Entries, Reports):
    def body_createWebhook(self, one):
        return {"secret": self.pick([SECRET], ["whsec_", "x"])}

    def ask_nonsense(self):
        """A path that is no operation."""
        base = ["/v1/organizations/", self.organization().id]
        method, path = self.pick(
            [
                *[("GET", ["/v1/nothing"]), ("PUT", base), ("POST", [*base, "/members/x"]), ("BREW", ["/v1/me"])],
                *[("GET", [*base, "/timeEntries/"]), ("DELETE", ["/"])],
            ]
        )
        self.ask("none", method, path, self.token(self.organization()))

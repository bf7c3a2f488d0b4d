"""The meaning of operations, as far as the contract does not say it: values drawn so that much succeeds, and ids
learned.

A method `KIND_OPERATION` is asked for an operation: `ids`, `token` and `query` in place of those that are drawn, `body`
for members of the body that are drawn otherwise, `request` for body, query and header fields, `after` for a success.
`value_NAME` draws what has this name in any operation.
"""

from random_world.absences import Absences
from random_world.corrections import Corrections
from random_world.entries import Entries
from random_world.marks import Marks
from random_world.pay_rules import PayRules
from random_world.people import People
from random_world.reports import Reports
from random_world.schedules import Schedules
from random_world.values import SECRET


class Meanings(People, Entries, Marks, Reports, Schedules, Absences, Corrections, PayRules):
    def body_createWebhook(self, one):
        return {"secret": self.pick([SECRET], ["whsec_", "x"])}

    def request_createWebhook(self, one, body, query, fields):
        """With a secret in a spoiled body too, for each side would make another."""
        if isinstance(body, dict) and body.get("secret") is None:
            body = {**body, "secret": SECRET}
        return body, query, fields

    def ids_putHoliday(self, one, ids):
        """One of few dates, so that most come again."""
        return [*ids[:2], self.pick(["2026-12-24", "2026-12-25", "2027-01-01"], ["2026-02-30", "x"])]

    def after_putHoliday(self, one, made, ids, token):
        one.known.setdefault("dates of holidays", []).append(ids[1:])

    def ids_deleteHoliday(self, one, ids):
        """Mostly a date that has a holiday."""
        there = one.known.get("dates of holidays", [])
        return [ids[0], *self.pick(there[-5:])] if there and self.chance(0.7) else [*ids[:2], "2026-12-24"]

    def body_importHolidays(self, one):
        return {"preset": self.pick(["DE-BY", "US"], ["XX", ""]), "year": self.pick([2026, 2027], [2098, 1999, "2027"])}

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

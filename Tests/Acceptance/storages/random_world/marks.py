"""The meaning of operations on the marks of members' time."""

# Mostly before everything else that is drawn, so that little is refused for them.
LASTS = ["2024-01-31", "2024-06-30", "2024-06-30", "2025-12-31"]


class Marks:
    def last(self):
        return self.pick(LASTS, ["2090-01-01", "x"], 0.1)

    def last_or_none(self):
        return self.pick([None, None, "2024-01-31"], ["x"], 0.05)

    def body_submitTimesheet(self, one):
        return {"through": self.last(), "complete": self.pick([True], [False, None], 0.05)}

    def body_approveTimesheets(self, one):
        return {"through": self.last(), "includeUnsubmitted": self.pick([True, True, None], ["x"], 0.05)}

    def body_lockPeriod(self, one):
        """Of members, or of all."""
        return {
            "through": self.last(),
            "includeUnapproved": self.pick([True, True, None], ["x"], 0.05),
            **self.pick([{"all": ...}, {"all": True, "userIds": ...}], [{"all": True}, {}], 0.05),
        }

    def body_unlockPeriod(self, one):
        return {
            "through": self.last_or_none(),
            **self.pick([{"all": ...}, {"all": True, "userIds": ...}], [{"all": True}, {}], 0.05),
        }

    def body_reopenTimesheet(self, one):
        return {"through": self.last_or_none()}

    def query_listPeriods(self, one):
        """All, or those in a state."""
        if self.chance(0.4):
            return []
        state = self.pick(["unsubmitted", "submitted", "approved", "locked"], ["x"], 0.05)
        return [("state", state), ("through", self.last())]

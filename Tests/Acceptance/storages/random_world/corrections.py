"""The meaning of operations on corrections of time."""

import datetime

LENGTHS = [datetime.timedelta(minutes=minutes) for minutes in (5, 60, 480)]


class Corrections:
    def body_requestCorrection(self, one):
        """An entry to add, or a change of one."""
        start = self.begin()
        times = {
            "clockInTime": self.written(start),
            "clockOutTime": self.written(start + self.pick(LENGTHS, [datetime.timedelta(0)], 0.1)),
        }
        if self.chance(0.4):
            return {"timeEntryId": ..., "proposal": self.pick([times], [{}, {"delete": True}, None], 0.1)}
        changes = [{name: time} for name, time in times.items()]
        return {
            "timeEntryId": self.one_of(one, "timeEntries"),
            "proposal": self.pick([times, *changes, {"delete": True}], [{}, "x"], 0.1),
        }

    def body_decideCorrection(self, one):
        return {"decision": self.pick(["agree", "agree", "refuse"], ["x", None], 0.05)}

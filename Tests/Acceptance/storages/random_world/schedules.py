"""The meaning of operations on work schedules, entitlements and adjustments."""

from random_world.operations import OPERATIONS

# Few, so that a second schedule or entitlement of one is often refused.
STARTS = ["2025-01-01", "2026-01-01", "2026-02-10", "2026-03-01", "2026-03-16"]
DATES = ["2024-12-31", "2026-01-05", "2026-03-20"]
WEEK = [28_800] * 5 + [0, 0]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"]


class Schedules:
    def body_createWorkSchedule(self, one):
        """A plan for each day, or seconds that days share."""
        shared = self.chance(0.3)
        plans = self.pick([WEEK, [0, 86_400] * 7], [[1], [86_401] * 7, "x", [1.5] * 7])
        return {
            "from": self.pick(STARTS, ["2026-02-30", "x"], 0.05),
            "secondsByWeekday": None if shared else plans,
            "weeklySeconds": self.pick([138_600, 100_001], [604_801, -1]) if shared else self.pick([None], [1], 0.02),
            "workDays": self.pick([DAYS, ["sunday", "monday"]], [[], ["x"], None]) if shared else None,
            "workdayStart": self.pick(["00:00", "06:00", None], ["24:00", ""]),
            "timeZone": self.pick([None, "Europe/Berlin", "Asia/Kathmandu"], ["Mars/Base", ""], 0.1),
            **self.pick([{"holidayCalendarId": None}, {}]),
        }

    def body_updateWorkSchedule(self, one):
        return self.body_createWorkSchedule(one)

    def body_createEntitlement(self, one):
        return {
            "kind": self.pick(["vacation", None], ["x", 1], 0.05),
            "year": self.pick([2024, 2025, 2026], [1899, 2200, "x"], 0.1),
            "days": self.pick([0, 28.75, 366, 0.0001], [367, -1, 0.00001, "x"], 0.1),
            "carriedDays": self.pick([0, -0.5, 2.5, None], [-367, "x"], 0.1),
            "carriedExpires": self.pick(["2026-03-31", None], ["2026-02-30"], 0.1),
        }

    def body_updateEntitlement(self, one):
        stated = self.body_createEntitlement(one)
        return {name: value for name, value in stated.items() if value is not None or name == "carriedExpires"}

    def body_createAdjustment(self, one):
        return {
            "date": self.pick(DATES, ["x"], 0.05),
            "seconds": self.pick([60, -7_200, 36_000_000], [0, 36_000_001, "x"], 0.1),
            "kind": self.pick(["opening", "payout", "correction"], ["cap", "x", None], 0.05),
        }

    def many(self, name, one):
        """Some at once of the operation that makes one."""
        schema = OPERATIONS[name].body
        rows = [self.members(name, one, schema) for _ in range(self.pick([1, 2, 5]))]
        return {"mode": self.pick(["partial", "partial", "atomic"], ["all", ""], 0.05), "rows": rows}

    def body_createWorkSchedules(self, one):
        return self.many("createWorkSchedule", one)

    def body_createEntitlements(self, one):
        return self.many("createEntitlement", one)

    def body_createAdjustments(self, one):
        return self.many("createAdjustment", one)

    def query_reportEntitlements(self, one):
        return [("year", self.pick([2024, 2025, 2026], [1899, "x"], 0.1))]

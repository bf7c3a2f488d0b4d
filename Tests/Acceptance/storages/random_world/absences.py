"""The meaning of operations on absences."""

# Few, so that one is often in the way of another; today is in none, for the sides may ask on two dates.
DATES = ["2026-01-05", "2026-01-09", "2026-02-27", "2026-03-02", "2026-03-20", "2036-05-05"]


class Absences:
    def body_requestAbsence(self, one):
        portion = self.pick(["day", "half", "seconds"], ["x", None], 0.05)
        seconds = self.pick([1, 3_600, 86_400], [0, 86_401, None], 0.1)
        start = self.pick(DATES, ["2026-02-30", "x"], 0.05)
        return {
            "kind": self.pick(["vacation", "sick", "training", "unpaid", "flextime"], ["absent", "x", None], 0.05),
            "startDate": start,
            "endDate": start if self.chance(0.5) else self.pick(DATES, ["x"], 0.05),
            "portion": portion,
            "seconds": seconds if portion == "seconds" else self.pick([None], [60], 0.05),
        }

    def body_updateAbsence(self, one):
        """Few members at once."""
        stated = self.body_requestAbsence(one)
        del stated["kind"]
        return {name: value for name, value in stated.items() if self.chance(0.4)} | {
            "reason": self.pick(["By phone", "By phone", None])
        }

    def body_decideAbsence(self, one):
        return {"decision": self.pick(["approve", "refuse"], ["x", None], 0.05)}

    def body_createAbsences(self, one):
        return self.many("requestAbsence", one)

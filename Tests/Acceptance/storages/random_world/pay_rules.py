"""The meaning of operations on pay rules."""

# A first date, and the day on which it lies. Few, so that second rules from a date are often refused.
FIRST_DATES = [
    ("2026-02-02", "monday"),
    ("2026-03-09", "monday"),
    ("2026-03-15", "sunday"),
    ("2026-03-19", "thursday"),
    ("2026-03-23", "monday"),
]


class PayRules:
    def body_createPayRules(self, one):
        date, day = self.pick(FIRST_DATES, [("2026-03-09", "tuesday"), ("2026-02-30", "monday")], 0.1)
        return {"from": date, "weekStart": day}

    def body_updatePayRules(self, one):
        return self.pick([self.body_createPayRules(one), {}])

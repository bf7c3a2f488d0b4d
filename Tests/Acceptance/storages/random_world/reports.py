"""The requests for reports."""

import datetime

from random_world.operations import OPERATIONS

# Parameters that reports leave out: tables, and those that cut a second that began or ended at the present, which a
# millisecond decides.
UNCERTAIN = (
    *("asOf", "format", "durations", "dialect", "separator", "decimal", "bom"),
    *("projectId", "taskId", "client", "tag", "billable", "kind", "rounding"),
)
DIMENSIONS = ["user", "day", "week", "month", "session", "status", "source"]
# How many days back the histories lie that do not reach to today.
BEFORE_TODAY = {"day": (2, 20), "week": (9, 20), "month": (32, 50)}


class Reports:
    def query_reportHours(self, one):
        days = sorted([self.date(), self.date()])
        stated = [("startDate", days[0]), ("endDate", days[1])][self.pick([0, 0, 0], [1]) :]
        if self.chance(0.2):
            stated = [("range", self.value(one, "range", {"$ref": "/CalendarRange"}, True)), *stated]
        if self.chance(0.7):
            grouping = ",".join(self.random.sample(DIMENSIONS, self.random.randrange(1, 4)))
            stated.append(("groupBy", self.pick([grouping], ["user,user", "", "year"])))
        return [*stated, *self.of_the_past("reportHours", one, "startDate", "endDate", "range", "groupBy")]

    def query_getTimesheet(self, one):
        return self.of_the_past("getTimesheet", one, "groupBy")

    def query_reportBalance(self, one):
        days = sorted([self.date(), self.date()])
        stated = [("startDate", days[0]), ("endDate", days[1])][self.pick([0, 0, 0], [1]) :]
        return [*stated, *self.of_the_past("reportBalance", one, "startDate", "endDate")]

    def query_getAccount(self, one):
        return self.of_the_past("getAccount", one)

    def of_the_past(self, name, one, *without):
        """Never to the present: a member who clocked in within this millisecond would be in one side's report only."""
        stated = [("asOf", self.instant(3))]
        if name in ("reportHours", "getTimesheet") and self.chance(0.2):
            stated.append(("timeZone", "payroll"))
            without = ("timeZone", *without)
        return [*stated, *self.parameters(OPERATIONS[name], one, (*UNCERTAIN, *without), 0.2)]

    def query_getHistory(self, one):
        period = self.pick(["day", "day", "week", "month"])
        day = self.start.date() - datetime.timedelta(days=self.random.randint(*BEFORE_TODAY[period]))
        stated = [("period", self.pick([period], ["year", ""])), ("date", self.pick([str(day)], ["tomorrow", ""]))]
        return [*stated, *self.of_the_past("getHistory", one, "period", "date")]

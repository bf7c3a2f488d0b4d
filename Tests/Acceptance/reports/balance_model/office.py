"""Years made in an organization of their own, over HTTP."""

import dataclasses

from report_model.facts import WEEKDAYS, Member
from report_model.office import PlannedOffice

from . import facts, plan
from .dating import turns_back


class BalanceOffice(PlannedOffice):
    """Has members, entries, segments and the policy of the years' times, as offices of reports have them."""

    def __init__(self, connection, operator, years):
        super().__init__(connection, operator, years.times)
        self.years = years
        # Of members who ask for absences.
        self.tokens = {0: self.own_token}
        self.calendars = [self.make_calendar(place, days) for place, days in enumerate(years.calendars)]
        for member, person in enumerate(years.people):
            self.enter_person(member, person)

    def known(self):
        """The facts with the service's ids."""
        members = [Member(identifier, name) for identifier, name in zip(self.members, self.years.times.members)]
        return dataclasses.replace(plan.known(self.years, self.facts, members), has_owner=True)

    def make_calendar(self, place, days):
        identifier = self.make("/holidayCalendars", {"name": f"Calendar {place}"})["id"]
        for date, percent in days.items():
            path = f"{self.base}/holidayCalendars/{identifier}/holidays/{date}"
            stated = {"name": f"Holiday of {date}"} | ({} if percent == 100 else {"percent": percent})
            self.ask(200, "PUT", path, stated)
        return identifier

    def enter_person(self, member, person):
        for row in self.ordered(person.rows):
            made = self.make("/workSchedules", self.row(member, row))
            if made["secondsByWeekday"] != list(row.seconds):
                raise SystemExit(f"a schedule is {made}, not {row}")
        for absence in person.absences:
            self.enter_absence(member, absence)
        for one in person.entitlements:
            self.make("/entitlements", self.entitlement(member, one))
        for one in person.adjustments:
            stated = {"userId": self.members[member], "date": one.date.isoformat(), "seconds": one.seconds}
            self.make("/adjustments", stated | {"kind": one.kind, "reason": "as agreed"})

    def ordered(self, rows):
        """The last row first, unless dates would turn back until the others are there."""
        backwards = rows[::-1]
        halfway = [rows[place:] for place in range(len(rows))]
        return rows if any(turns_back(self.plan.zone, some) for some in halfway) else backwards

    def row(self, member, row):
        """Some values that are the default are left out, by the date."""
        stated = {
            "holidayCalendarId": None if row.calendar is None else self.calendars[row.calendar],
            "worksOnHolidays": row.works_on_holidays,
            "timeZone": row.zone,
            "workdayStart": f"{row.workday_start // 60:02}:{row.workday_start % 60:02}",
        }
        if row.start.day % 2:
            stated = {name: value for name, value in stated.items() if value not in (None, False, "00:00")}
        if row.stated:
            weekly, days = row.stated
            stated |= {"weeklySeconds": weekly, "workDays": [WEEKDAYS[day] for day in days]}
        else:
            stated |= {"secondsByWeekday": list(row.seconds)}
        return {"userId": self.members[member], "from": row.start.isoformat(), **stated}

    def entitlement(self, member, one):
        stated = {"userId": self.members[member], "kind": "vacation", "year": one.year, "days": days(one.days)}
        if one.carried:
            stated["carriedDays"] = days(one.carried)
        if one.expires:
            stated["carriedExpires"] = one.expires.isoformat()
        return stated

    def enter_absence(self, member, absence):
        """By the admin, which is approved at once, or asked for by the member, and then brought to its state."""
        is_request = absence.state in ("requested", "refused")
        stated = {
            "kind": absence.kind,
            "startDate": absence.start.isoformat(),
            "endDate": absence.end.isoformat(),
            "portion": absence.portion,
        }
        stated |= {} if absence.seconds is None else {"seconds": absence.seconds}
        stated |= {} if is_request else {"userId": self.members[member]}
        token = self.token_of(member) if is_request else self.token
        made = self.ask(201, "POST", f"{self.base}/absences", stated, token)
        path = f"{self.base}/absences/{made['id']}"
        if absence.state == "refused":
            made = self.ask(200, "POST", f"{path}/decide", {"decision": "refuse"})
        if absence.state == "canceled":
            made = self.ask(200, "POST", f"{path}/cancel", {"reason": "as agreed"})
        if made["state"] != absence.state:
            raise SystemExit(f"an absence is {made}, not {absence.state}")

    def token_of(self, member):
        if member not in self.tokens:
            made = self.make("/apiTokens", {"name": "phone", "userId": self.members[member]})
            self.tokens[member] = made["token"]
        return self.tokens[member]


def days(parts):
    """Ten-thousandths of a day as a number of JSON."""
    return parts / facts.DAY_PARTS if parts % facts.DAY_PARTS else parts // facts.DAY_PARTS

"""An organization for some rounds, each with members of its own and a week of its own."""

import datetime
import zoneinfo

from kit import office
from kit.expecting import expect

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
# The week of the first round. Each later one has the next, so that no mark of earlier members is on its holidays.
FIRST_WEEK = datetime.date(2024, 1, 1)
WEEKS = 40


class Place:
    def __init__(self, instances):
        self.office = office.Office(instances[0].port, instances[0].create_organization())
        ask = self.office.ask
        # Of the time of years ago members are to make changes, too.
        policy = {"policy": {"editWindowDays": 3650}}
        ask("PATCH", "", policy, fields=[("If-Match", "*")])
        self.calendar = ask("POST", "/holidayCalendars", {"name": "Berlin"}, 201)["id"]
        self.break_type = ask("POST", "/breakTypes", {"name": "Lunch", "isPaid": False}, 201)["id"]
        manager = self.office.add_member("manager@example.com", "Manager", "manager")
        self.tokens = {"admin": self.office.token, "manager": self.office.token_of(manager)}
        # How far the log has been read.
        self.position = 0

    def close(self):
        self.office.close()

    def changes_until(self, id, kind):
        """The changes behind those that were read before, up to one of this record and kind, which was made last."""
        found = []
        while not (found and (found[-1]["resourceId"], found[-1]["kind"]) == (id, kind)):
            page = self.office.ask("GET", f"/changes?after={self.position}&limit=1000")
            for number, change in enumerate(page["changes"]):
                found.append(change)
                if (change["resourceId"], change["kind"]) == (id, kind):
                    expect(number == len(page["changes"]) - 1, "nobody else changes something", page)
            self.position = page["nextAfter"]
        return found


class Week:
    """The members of a round, the dates of their time, and the records that are made for it."""

    def __init__(self, place, number, chances):
        self.place = place
        self.chances = chances
        self.monday = FIRST_WEEK + datetime.timedelta(7 * (number % WEEKS))
        # The second one's schedule may name no calendar.
        self.calendars = [place.calendar, chances.choice([place.calendar, None])]
        self.users = [place.office.add_member(f"{name}{number}@example.com", name) for name in "AB"]
        self.tokens = [place.office.token_of(user) for user in self.users]
        for member in range(2):
            self.make("workSchedules", self.schedule(member, self.monday))
        # Two writes never share a time of a date of a member, a first date of a schedule, and a date of a holiday.
        self.times = self.shuffled(
            [(member, day, hour) for member in range(2) for day in range(7) for hour in (6, 12, 21)]
        )
        self.beginnings = self.shuffled([(member, day) for member in range(2) for day in range(1, 7)])
        self.holidays = self.shuffled(range(7))

    def shuffled(self, values):
        values = list(values)
        self.chances.shuffle(values)
        return values

    def date(self, day):
        return self.monday + datetime.timedelta(day)

    def instant(self, day, hour, minute=0):
        local = datetime.datetime.combine(self.date(day), datetime.time(), ZONE)
        return (local + datetime.timedelta(hours=hour, minutes=minute)).astimezone(datetime.UTC)

    def schedule(self, member, start):
        seconds = self.chances.randrange(1, 9) * 3_600
        return {
            "userId": self.users[member],
            "from": start.isoformat(),
            "secondsByWeekday": [seconds] * 7,
            "holidayCalendarId": self.calendars[member],
        }

    def make(self, folder, body, token=None):
        """The new record, by the admin if there is no other token."""
        return self.place.office.ask("POST", f"/{folder}", body, 201, token=token)

    def read(self, write):
        """The record that a write is about; None if there is none."""
        if write.folder == "holidays":
            date = write.date.isoformat()
            path = f"/holidayCalendars/{self.place.calendar}/holidays?startDate={date}&endDate={date}"
            return next(iter(self.place.office.ask("GET", path)["holidays"]), None)
        if write.record is None:
            return None
        answer = self.place.office.request("GET", f"/{write.folder}/{write.record}")
        expect(answer.status in (200, 404), "a record is read", answer)
        return answer.json if answer.status == 200 else None

    def token(self, request):
        return self.tokens[request.member] if request.role == "member" else self.place.tokens[request.role]


def written(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")

"""A history, entry by entry and section by section, written from the contract alone.

Every rule is a method of its own, so that `wrong_calculations.py` can make one wrong at a time.
"""

import collections
import dataclasses
import datetime
import fractions
import unicodedata

from report_model import calculation as report_calculation
from report_model import facts as report_facts
from report_model import zones
from report_model.sections import Section, sections
from report_model.zones import ONE_DAY


@dataclasses.dataclass(frozen=True)
class Share:
    """Whole seconds of a section that count for a date; `entry_date` is the one that the entry's work counts for."""

    section: Section
    date: datetime.date
    entry_date: datetime.date
    seconds: int


class Calculation:
    """As the contract says."""

    def __init__(self, known, query):
        self.known = known
        self.query = query
        self.zone = self.zone_of_dates()
        self.first, self.last = self.dates()

    # The period.

    def zone_of_dates(self):
        if self.query.zone:
            return self.query.zone
        return self.known.zones[self.query.member] if self.query.member else self.known.zone

    def week_start(self, date):
        return report_facts.WEEKDAYS.index(self.known.policy.on(date).week_start)

    def dates(self):
        date = self.query.date
        if self.query.period == "day":
            return date, date
        if self.query.period == "week":
            first = date - ONE_DAY * ((date.weekday() - self.week_start(date)) % 7)
            week = [first + ONE_DAY * number for number in range(7)]
            # Weeks that come to begin on another day cut this one short.
            return first, max(one for one in week if self.week_start(one) == self.week_start(date))
        first = date.replace(day=1)
        return first, (first + 31 * ONE_DAY).replace(day=1) - ONE_DAY

    def is_in_period(self, date):
        return self.first <= date <= self.last

    # Cutting.

    def end(self, one):
        return self.query.as_of if one.end is None else one.end

    def segments_of(self, entry):
        found = [one for one in self.known.segments if one.entry == entry.id]
        return sorted(found, key=lambda one: one.start)

    def sections(self, entry):
        """All of an entry, in the order of time."""
        return sections(entry.start, self.end(entry), self.segments_of(entry))

    def stretches(self, start, end):
        return zones.stretches(start, end, self.zone)

    def date_of(self, instant):
        return zones.local_date(instant, self.zone)

    def seconds(self, before, after):
        """The whole seconds of a part that begins and ends at these milliseconds after the beginning."""
        return after // 1_000 - before // 1_000

    def counter(self, section, date):
        """The key by which milliseconds are counted: each date restarts."""
        return date if self.query.attribution == "split" else None

    def date_of_section(self, section, date):
        """If a section does not go with its entry, the date that it began on."""
        if self.query.attribution == "split":
            return date
        return self.date_of(section.start)

    def shares_of(self, sections):
        counted = collections.Counter()
        found = []
        for section in sections:
            for start, stop, date in self.pieces(section):
                counter = self.counter(section, date)
                seconds = self.seconds(counted[counter], counted[counter] + stop - start)
                counted[counter] += stop - start
                entry_date = date if self.query.attribution == "split" else self.date_of(sections[0].start)
                found.append(Share(section, self.date_of_section(section, date), entry_date, seconds))
        return found

    def pieces(self, section):
        if self.query.attribution == "split":
            return self.stretches(section.start, section.end)
        return [(section.start, section.end, None)]

    # Adding up.

    def is_known(self, member):
        return self.query.member in (None, member)

    def shares(self):
        for entry in self.known.entries:
            if self.is_known(entry.member.id):
                yield from self.shares_of(self.sections(entry))

    def outside(self):
        """The work that is kept without an entry."""
        total = 0
        for one in self.known.segments:
            if one.entry is None and self.is_known(one.member) and one.start < self.end(one):
                shares = self.shares_of([Section(one.start, self.end(one), one)])
                total += self.cut_outside(shares)
        return total

    def cut_outside(self, shares):
        return sum(share.seconds for share in shares if self.is_in_period(share.date))

    def is_break(self, share):
        return share.section.segment is not None and share.section.segment.kind != "work"

    def is_unpaid(self, share):
        return share.section.segment is not None and share.section.segment.kind == "unpaid"

    def row_date(self, share):
        """The date on which a row has the seconds: time for nothing goes with its entry."""
        return share.entry_date if share.section.segment is None else share.date

    def break_date(self, share):
        return share.entry_date

    def project(self, share):
        return share.section.segment and share.section.segment.project

    def task(self, share):
        return share.section.segment and share.section.segment.task

    def is_in_rows(self, share):
        return not self.is_break(share)

    def deducted(self):
        """The deductions for breaks by a report of the period."""
        known = report_facts.Facts(self.known.entries, self.known.policy, self.known.segments)
        return report_calculation.Calculation(known, self.report_query()).deducted_seconds()

    def report_query(self):
        query = self.query
        return report_facts.Query(
            self.first, self.last, self.zone, query.as_of, attribution=query.attribution, member=query.member
        )

    # Rows.

    def name(self, subject):
        return unicodedata.normalize("NFC", subject.name)

    def tie(self, subject):
        """In the order of this, equal rests get the remainder."""
        return (1,) if subject is None else (0, self.name(subject), subject.id)

    def order(self, row):
        subject, seconds = row
        return (1,) if subject is None else (0, -seconds, self.name(subject), subject.id)

    def ten_thousandths(self, sums, total):
        exact = {one: fractions.Fraction(seconds * 10_000, total) for one, seconds in sums.items()}
        shares = {one: part.numerator // part.denominator for one, part in exact.items()}
        left = 10_000 - sum(shares.values())
        for one in sorted(sums, key=lambda one: (shares[one] - exact[one], self.tie(one)))[:left]:
            shares[one] += 1
        return shares

    def total(self, sums):
        return sum(sums.values())

    def is_shown(self, seconds):
        return seconds > 0

    def rows(self, sums, show):
        sums = {subject: seconds for subject, seconds in sums.items() if self.is_shown(seconds)}
        total = self.total(sums)
        shares = self.ten_thousandths(sums, total) if total else dict.fromkeys(sums, 0)
        return [
            show(subject) | {"seconds": seconds, "share": fraction(shares[subject])}
            for subject, seconds in sorted(sums.items(), key=self.order)
        ]

    def projects(self, sums):
        return self.rows(
            sums, lambda one: {"projectId": one and one.id, "name": one and one.name, "color": one and one.color}
        )

    def answer(self):
        """All that `getHistory` answers."""
        worked, of_days = collections.Counter(), collections.defaultdict(collections.Counter)
        projects, tasks = collections.Counter(), collections.Counter()
        breaks = unpaid = 0
        deducted = self.deducted()
        for share in self.shares():
            if self.is_in_period(share.entry_date):
                worked[share.entry_date] += share.seconds
            if self.is_break(share) and self.is_in_period(self.break_date(share)):
                breaks += share.seconds
                unpaid += share.seconds * self.is_unpaid(share)
            date = self.row_date(share)
            if self.is_in_rows(share) and self.is_in_period(date):
                projects[self.project(share)] += share.seconds
                tasks[self.task(share)] += share.seconds
                of_days[date][self.project(share)] += share.seconds
        days = [self.first + ONE_DAY * place for place in range((self.last - self.first).days + 1)]
        return {
            "period": self.query.period,
            "startDate": self.first.isoformat(),
            "endDate": self.last.isoformat(),
            "timeZone": self.zone,
            "attribution": self.query.attribution,
            "asOf": zones.written(self.query.as_of),
            "workSeconds": worked.total(),
            "breakSeconds": breaks,
            "unpaidBreakSeconds": unpaid,
            "deductedBreakSeconds": deducted,
            "paidSeconds": worked.total() - unpaid - deducted,
            "projects": self.projects(projects),
            "tasks": self.rows(tasks, lambda one: {"taskId": one and one.id, "name": one and one.name}),
            "days": [
                {"date": date.isoformat(), "workSeconds": worked[date], "projects": self.projects(of_days[date])}
                for date in days
            ],
            "outsideSeconds": self.outside(),
        }


def fraction(ten_thousandths):
    """As JSON has it: whole numbers are whole."""
    return ten_thousandths // 10_000 if ten_thousandths % 10_000 == 0 else ten_thousandths / 10_000

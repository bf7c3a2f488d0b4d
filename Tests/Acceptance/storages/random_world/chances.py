"""Chances, and values drawn by them: times and their texts, paths with their parameters, bodies that are spoiled."""

import datetime
import urllib.parse

from random_world.requests import Pair, rendered

MALFORMED = [
    *(b"", b"{", b"[]", b"null", b"7", b'{"notes":"a","notes":"b"}', b'{"notes":"\xff"}', b'{"notes":"\\ud800"}'),
    *(b'{"notes":"\\u0000"}', b"[" * 600, b'{"a":' * 300 + b"1" + b"}" * 300, b'{"notes":1e999}', b"{'notes':1}"),
    *(b'{"notes":"a",}', b"\xef\xbb\xbf{}", b'{"name":01}', b"{} {}"),
]
NO_INSTANTS = [
    *("2026-02-30T10:00:00Z", "2026-01-01T10:00:00", "2026-01-01", "yesterday", "", "1899-12-31T23:59:59Z"),
    *("9999-12-31T23:59:59.999Z", "1900-01-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T10:00:60Z"),
    *("2026-01-01T10:00:00+24:00", "2026-01-01 10:00:00Z", "10000-01-01T00:00:00Z", "2026-01-01T10:00:00.Z"),
]
NO_DATES = ["2026-02-30", "today", "", "2026-1-1", "1899-12-31", "9999-12-31", "٢٠٢٦-01-01"]
MINUTE = datetime.timedelta(minutes=1)


class Chances:
    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, good, bad=(), badness=0.12):
        return self.random.choice(bad if bad and self.chance(badness) else good)

    def instant(self, day_span=20):
        """A stated time, minutes away from the present one and from whole hours before it."""
        if self.chance(0.04):
            return self.pick(NO_INSTANTS)
        return self.written(self.start - 2.5 * MINUTE - 5 * MINUTE * self.random.randrange(day_span * 288))

    def written(self, instant):
        """One of the many ways to write it."""
        instant = instant.replace(microsecond=instant.microsecond // 1000 * 1000)
        offset = self.pick([0, 0, 0, 345, -210, 720, -720, 60, 840])
        text = (instant + offset * MINUTE).strftime("%Y-%m-%dT%H:%M:%S")
        milliseconds = f"{instant.microsecond // 1000:03d}"
        text += "." + milliseconds + self.pick(["", "", "0", "000000"])
        if offset == 0:
            return text + self.pick(["Z", "Z", "z", "+00:00", "-00:00"])
        return text + f"{'-' if offset < 0 else '+'}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"

    def date(self):
        day = self.start.date() + datetime.timedelta(days=self.random.randrange(-20, 3))
        return self.pick([day.isoformat()], NO_DATES, 0.06)

    def body(self, members):
        """The members that are stated, at times spoiled."""
        if self.chance(0.05):
            return self.pick(MALFORMED)
        if self.chance(0.05):
            members[self.pick(["unknown", "userid", "", "größe"])] = self.pick([None, 1, "x"])
        if members and self.chance(0.07):
            members[self.pick(sorted(members))] = self.pick([None, 7, -1, 1.5, True, [], {}, "x", "", 10**30])
        if members and self.chance(0.03):
            del members[self.pick(sorted(members))]
        return members

    def text(self, value):
        """A value as a parameter has it."""
        if isinstance(value, list):
            return ",".join(map(str, value))
        return str(value).lower() if isinstance(value, bool) else value

    def with_query(self, path, stated):
        parts = list(path)
        for number, (name, value) in enumerate(stated):
            text = value if isinstance(value, Pair) else urllib.parse.quote(str(value))
            parts += ["&" if number else "?", urllib.parse.quote(name), "=", text]
        if self.chance(0.01):
            parts.append(self.pick(["&&", "&x=%zz", "&%ff=1"]) if stated else "?")
        return parts

    def stated_for(self, values):
        """Values between commas."""
        return Pair(*(",".join(urllib.parse.quote(str(one)) for one in rendered(values, side)) for side in (0, 1)))

    def each(self, answers, name):
        """The member of both answers as a pair."""
        return Pair(*[answer[name] for answer in answers])

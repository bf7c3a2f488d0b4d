"""Balances as tables: the rows of an answer with durations in seconds, hours or minutes, which add up as shown."""

import collections
import csv
import io

from report_model.asking import cell, differences

from .calculation import SUMMED

# By what a request says: the end of a column's name, and the seconds that are the least that it shows.
DURATIONS = {"seconds": ("Seconds", 1), "decimal": ("Hours", 36), "hh:mm": ("Time", 60), "hh:mm:ss": ("Time", 1)}
PARTS = ["holidaySeconds", "absenceSeconds", "targetSeconds"]
# The columns of which each row has what was rounded up to it, less what was before.
CARRIED_ON = [*PARTS, "creditedSeconds", "paidSeconds", "adjustmentSeconds"]
PEOPLE = ["userEmail", "personnelNumber"]


class Rounding:
    """One member's rows in their order; numbers are multiples of the unit, half of which is rounded up."""

    def __init__(self, unit):
        self.unit = unit
        self.reached = collections.Counter()

    def multiple(self, seconds):
        return (2 * seconds + self.unit) // (2 * self.unit)

    def carried_on(self, name, seconds):
        before = self.multiple(self.reached[name])
        self.reached[name] += seconds
        return self.multiple(self.reached[name]) - before

    def row(self, row):
        """The columns of a row; what is null stays so."""
        shown = {name: None if row[name] is None else self.carried_on(name, row[name]) for name in CARRIED_ON}
        shown["plannedSeconds"] = sum(shown[name] for name in PARTS)
        shown["balanceSeconds"] = shown["carriedSeconds"] = None
        if row["carriedSeconds"] is not None:
            shown["carriedSeconds"] = self.multiple(row["carriedSeconds"])
            before = self.multiple(row["carriedSeconds"] - row["balanceSeconds"])
            shown["balanceSeconds"] = shown["carriedSeconds"] - before
        return shown


def written(number, durations):
    """A multiple of the unit with its sign."""
    if number is None:
        return ""
    sign, number = "-" if number < 0 else "", abs(number)
    if durations == "decimal":
        return f"{sign}{number // 100}.{number % 100:02}"
    if durations == "hh:mm":
        return f"{sign}{number // 60:02}:{number % 60:02}"
    if durations == "hh:mm:ss":
        return f"{sign}{number // 3_600:02}:{number // 60 % 60:02}:{number % 60:02}"
    return f"{sign}{number}"


def lines(answer, period, durations):
    """The names and the rows; `period` is the name of the rows' dates or None."""
    ending, unit = DURATIONS[durations]
    keys = ["userId", "userName", *([period] if period else [])]
    numbers = [*SUMMED, "carriedSeconds"]
    found, of_members = [keys + [name.replace("Seconds", ending) for name in numbers]], {}
    for row in answer["rows"]:
        shown = of_members.setdefault(row["userId"], Rounding(unit)).row(row)
        texts = [written(shown[name], durations) for name in numbers]
        found.append([cell(row[key]) for key in keys] + texts)
    return found


def table_differences(answer, expected, period, durations):
    """Of an answer: the rows as a table, CR LF at every end, the names of people last."""
    is_csv = answer.fields.get("content-type", "").startswith("text/csv")
    if answer.status != 200 or not is_csv or not answer.body.endswith(b"\r\n"):
        return [f"the CSV is {answer}"]
    text = answer.body.decode()
    if text.count("\n") != text.count("\r\n"):
        return ["a line of the CSV ends without CR"]
    got = list(csv.reader(io.StringIO(text, newline="")))
    wanted = lines(expected, period, durations)
    width = len(wanted[0])
    found = list(differences(wanted, [line[:width] for line in got], "csv"))
    people = [line[width:] for line in got]
    if people[0] != PEOPLE or any("@" not in one[0] for one in people[1:]):
        found.append(f"the last columns of the CSV are {people[:3]}")
    return found

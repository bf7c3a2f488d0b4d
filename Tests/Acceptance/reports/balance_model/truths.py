"""What has to hold in every answer, whatever it was calculated from."""

import collections
import datetime

from .calculation import SUMMED


class Untrue(Exception):
    """An answer that contradicts itself or another one."""


def check(answer, query, days):
    """Raises `Untrue`. `days` are the rows by day since the first row of everybody's schedule, at the same time."""
    check_sums(answer, query)
    check_totals(answer)
    check_carried(answer["rows"], query, days)


def check_sums(answer, query):
    for row in [*answer["rows"], answer["totals"]]:
        parts = row["holidaySeconds"] + row["absenceSeconds"] + row["targetSeconds"]
        if row["plannedSeconds"] != parts:
            raise Untrue(f"the plan is not its holidays, absences and target together in {row}")
        has_future = query.has_future and row is answer["totals"]
        if has_future or row["balanceSeconds"] is None:
            continue
        if row["balanceSeconds"] != row["paidSeconds"] - row["targetSeconds"] + row["adjustmentSeconds"]:
            raise Untrue(f"the balance is not what was paid, without the target, with adjustments in {row}")


def check_totals(answer):
    for name in SUMMED:
        total = sum(row[name] or 0 for row in answer["rows"])
        if answer["totals"][name] != total:
            raise Untrue(f"all rows together have {total} {name}, and totals {answer['totals'][name]}")


def check_carried(rows, query, days):
    known = accounts(days, query)
    for row in rows:
        if row["carriedSeconds"] is None:
            continue
        value = next((row[name] for name in ("day", "week", "month") if name in row), None)
        account = known.get((row["userId"], value))
        if row["carriedSeconds"] != account:
            raise Untrue(f"the balances since the first date add up to {account}, not to what is carried in {row}")


def accounts(days, query):
    """The sum of balances since the first date, by member and period of a query: through the period's last date."""
    reached, found = collections.Counter(), {}
    for row in days:
        reached[row["userId"]] += row["balanceSeconds"]
        date = datetime.date.fromisoformat(row["day"])
        if query.start_date <= date <= query.end_date:
            found[row["userId"], period(query.group_by, date)] = reached[row["userId"]]
    return found


def period(group_by, date):
    formats = {"user,day": "%Y-%m-%d", "user,week": "%G-W%V", "user,month": "%Y-%m"}
    return date.strftime(formats[group_by]) if group_by in formats else None

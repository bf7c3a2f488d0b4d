"""The service on SQLite, and C programs on the same file."""

import pathlib
import random
import sqlite3
import subprocess
import uuid

import spans

# The forms of a month's report by SQL and C.
MONTHS = ["c: descents", "c: dates", "c: split", "c: covering-by-date", "c: covering-split", "c: covering-descents"]


def choose_lists(path, content):
    """Members: organization, number, public id."""
    chance = random.Random(3)
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    lists = []
    for _ in range(spans.COUNT):
        organization = chance.choice(content["organizations"])
        user = organization["firstUser"] + chance.randrange(organization["members"])
        (identifier,) = connection.execute("SELECT id FROM users WHERE user_id = ?", (user,)).fetchone()
        lists.append((organization, user, uuid.UUID(bytes=identifier)))
    connection.close()
    return lists


def make_covering(path, target):
    """Copies of the table with the columns of a month's report and no others, in two orders."""
    if target.exists():
        return
    unfinished = target.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    connection = sqlite3.connect(f"file:{unfinished}", uri=True)
    connection.executescript(f"""
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000;
        ATTACH 'file:{path}?mode=ro' AS source;
        CREATE TABLE members (organization_id INTEGER, user_id INTEGER, PRIMARY KEY (organization_id, user_id))
          WITHOUT ROWID;
        CREATE TABLE by_date (organization_id INTEGER, date INTEGER, user_id INTEGER, clock_in INTEGER,
          clock_out INTEGER, PRIMARY KEY (organization_id, date, user_id, clock_in)) WITHOUT ROWID;
        CREATE TABLE by_member (organization_id INTEGER, user_id INTEGER, date INTEGER, clock_in INTEGER,
          clock_out INTEGER, PRIMARY KEY (organization_id, user_id, date, clock_in)) WITHOUT ROWID;
        INSERT INTO members SELECT organization_id, user_id FROM source.members ORDER BY 1, 2;
        INSERT INTO by_member SELECT organization_id, user_id, date, clock_in, clock_out FROM source.time_entries
          NOT INDEXED ORDER BY organization_id, user_id, date, clock_in;
        INSERT INTO by_date SELECT organization_id, date, user_id, clock_in, clock_out FROM by_member
          ORDER BY organization_id, date, user_id, clock_in;
        """)
    connection.close()
    unfinished.rename(target)


def measure(location, content, tools, rounds):
    """The rounds of each kind of request and form, in microseconds."""
    path = location.removeprefix("sqlite:")
    covering = pathlib.Path(path).with_suffix(".covering")
    make_covering(path, covering)
    lists = choose_lists(path, content)
    with spans.Subject(tools, location, content) as subject:
        span_file = tools.write("spans", [span.line() for span in subject.spans])
        list_file = tools.write("lists", [f"{organization['number']} {user}" for organization, user, _ in lists])
        subject.requests["http: list"] = tools.write(
            "list-requests",
            [
                f"/v1/organizations/{organization['organizationID']}/timeEntries?userId={identifier}&limit=100 "
                f"{organization['token']}"
                for organization, _, identifier in lists
            ],
        )
        spans.read_through(path)
        spans.read_through(covering)
        figures, checks = {}, {}
        for _ in range(rounds):
            subject.measure(figures)
            for line in run(tools, path, span_file, list_file, covering):
                name, _, middle, check = line.split()
                figures.setdefault(f"c: {name}", []).append(float(middle))
                checks[name] = int(check)
        days = content["entries"] // sum(organization["members"] for organization in content["organizations"])
        compare_sums(checks, subject.totals(), len(lists) * min(100, days))
    return figures


def run(tools, *arguments):
    result = subprocess.run([tools.folder / "best", *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"best.c: {result.stderr}")
    return result.stdout.splitlines()


def compare_sums(checks, totals, rows):
    """Both forms must measure the same."""
    if checks["split"] != checks["covering-split"]:
        raise SystemExit(f"the forms that cut at midnight do not agree: {checks}")
    clipped = {checks[name] for name in ("descents", "dates", "covering-by-date", "covering-descents")}
    if len(clipped) != 1:
        raise SystemExit(f"the forms that clip do not agree: {checks}")
    if checks["list"] != rows:
        raise SystemExit(f"the lists have {checks['list']} rows and not {rows}")
    if totals is not None and totals != checks["split"]:
        raise SystemExit(f"the service's reports have {totals} seconds, SQL {checks['split']}")

"""A load of prepared requests on an HTTP service, over keep-alive connections, and the cost of a process meanwhile."""

import collections
import hashlib
import os
import pathlib
import re
import sqlite3
import subprocess
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
DAY = 86_400_000
TICK = os.sysconf("SC_CLK_TCK")

# Of requests: how many a second, and how many microseconds one took.
Figures = collections.namedtuple("Figures", "rate median p99 longest")


def compiled(source, folder, *libraries):
    """A C program, compiled into the folder."""
    program = pathlib.Path(folder, pathlib.Path(source).stem)
    subprocess.run(["cc", "-O2", "-o", program, source, *libraries], check=True)
    return program


def request(method, path, fields, content="", status=200):
    """One line of a file of requests: the request, and the status that has to come."""
    head = "".join(f"{name}: {value}\r\n" for name, value in {"Host": "localhost", **fields}.items())
    length = f"Content-Length: {len(content)}\r\n" if method != "GET" else ""
    text = f"{method} {path} HTTP/1.1\r\n{head}{length}\r\n{content}"
    return f"{status} {len(text.encode())}\n{text}\n"


class Loader:
    """The program that sends the requests; it is compiled into a folder."""

    def __init__(self, folder):
        self.program = compiled(HERE / "load.c", folder)

    def run(self, port, requests, steps, seconds, connections):
        """Sends the requests of a file, `steps` for each member, for some seconds. A wrong answer ends the program."""
        result = subprocess.run(
            [self.program, str(port), str(requests), str(steps), str(seconds), str(connections)],
            stdout=subprocess.PIPE,
            text=True,
        )
        if result.returncode:
            raise SystemExit(f"The load on port {port} ended with {result.returncode}.")
        return Figures(*map(float, result.stdout.split()))


def processor_seconds(pid):
    """The processor time that a process has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_megabytes(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def written_bytes(pid):
    """The bytes that the kernel has written to disks for a process so far."""
    return int(re.search(r"^write_bytes: (\d+)", pathlib.Path(f"/proc/{pid}/io").read_text(), re.M)[1])


def member_token(user):
    """The text of the API token that a member is given for a load."""
    return hashlib.sha256(f"member {user}".encode()).hexdigest()


def add_member_tokens(file):
    """Gives every member in a file of Benchmarks/data an API token.

    Returns the organization's id and the token of each member, in the order of their numbers, which begin with 1.
    """
    now = int(time.time() * 1000)
    people, rows = [], []
    database = sqlite3.connect(file)
    with database:
        (last,) = database.execute("SELECT last_number FROM row_numbers").fetchone()
        for organization, user, identifier in database.execute(
            "SELECT m.organization_id, m.user_id, o.id FROM members m JOIN organizations o USING (organization_id)"
            " ORDER BY m.user_id"
        ).fetchall():
            token = member_token(user)
            digest = hashlib.sha256(token.encode()).digest()
            number = last + len(rows) + 1
            # A use that was noted just now is not noted again, so that the requests alone write.
            rows.append((number, user, digest, now, now + 365 * DAY, now + DAY, organization, digest[:16], "load"))
            people.append((str(uuid.UUID(bytes=identifier)), token))
        database.executemany(
            "INSERT INTO tokens (token_id, user_id, digest, created_at, expires_at, last_used_at, organization_id, id, name)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        database.execute("UPDATE row_numbers SET last_number = last_number + ?", (len(rows),))
    database.close()
    return people


def add_member_tokens_in_cluster(cluster, database):
    """The same in a database of a cluster."""
    now = int(time.time() * 1000)
    cluster.execute(
        f"""
        WITH texts AS (
            SELECT organization_id, user_id, encode(sha256(convert_to('member ' || user_id, 'UTF8')), 'hex') AS text
            FROM members
        ), digests AS (SELECT *, sha256(convert_to(text, 'UTF8')) AS digest FROM texts)
        INSERT INTO tokens (user_id, digest, created_at, expires_at, last_used_at, organization_id, id, name)
        SELECT user_id, digest, {now}, {now + 365 * DAY}, {now + DAY}, organization_id,
            substr(encode(digest, 'hex'), 1, 32)::uuid, 'load' FROM digests ORDER BY user_id""",
        database,
    )
    rows = cluster.execute(
        "SELECT o.id, m.user_id FROM members m JOIN organizations o USING (organization_id) ORDER BY m.user_id",
        database,
    )
    return [(organization, member_token(user)) for organization, user in (row.split("|") for row in rows)]

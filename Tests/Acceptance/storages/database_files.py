#!/usr/bin/env python3
"""The SQLite file under a running and a starting server: files that are removed or replaced, logs of another file,
a path that is misspelled, a copy of an idle server's file."""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time

from kit import client, service
from kit.expecting import expect

BINARY = service.built_binary()


class ServedFile:
    """A server with one organization, in a folder of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-files-"))
        self.path = self.folder / "timeclock.db"
        self.server = service.Service(BINARY, self.folder)
        made = self.server.create_organization()
        self.token, self.entries = made["token"], f"/v1/organizations/{made['organizationID']}/timeEntries"
        self.server.start()

    def call(self, method, path):
        """The status of the answer; None if there is no server any more."""
        one = client.Client(self.server.port, timeout=10)
        try:
            return one.request(method, path, self.token, {} if method == "POST" else None).status
        except OSError:
            return None
        finally:
            one.close()

    def clock(self, pairs):
        """The number of acknowledged clock-ins among `pairs`."""
        count = 0
        for _ in range(pairs):
            count += self.call("POST", self.entries + "/clockIn") == 201
            self.call("POST", self.entries + "/clockOut")
        return count

    def ended(self):
        return self.server.process.wait(timeout=10)

    def expect_logged(self, line, what):
        """The log is written by a thread of its own, so a line may be a little late."""
        deadline = time.monotonic() + 5
        while line not in (log := (self.folder / "server.log").read_text()) and time.monotonic() < deadline:
            time.sleep(0.01)
        expect(line in log, what, log)

    def refused(self, needed, code=65, *options):
        result = subprocess.run(
            [BINARY, "serve", "--port", "0", "--database", f"sqlite:{self.path}", *options],
            capture_output=True,
            text=True,
            timeout=10,
        )
        expect(result.returncode == code and needed in result.stderr, f"a start is refused with {needed!r}", result)

    def gone(self):
        if self.server.process.poll() is None:
            self.server.kill()
        shutil.rmtree(self.folder)


def count(path):
    with sqlite3.connect(path) as database:
        found = database.execute("SELECT count(*) FROM time_entries").fetchone()[0]
    database.close()
    return found


def replaced_while_running():
    office = ServedFile()
    office.clock(3)
    office.server.stop()
    shutil.copy(office.path, office.folder / "back-up")
    office.server.start()
    office.clock(3)
    os.rename(office.folder / "back-up", office.path)
    expect(office.clock(5) == 0, "nothing is acknowledged beside a replaced file")
    expect(office.ended() == 70, "the server ends", office.server.process.returncode)
    office.expect_logged(f"critical database: The file {office.path} was replaced", "the log tells")
    # The log is the other file's: nothing is read into the back-up, and nothing is removed.
    size = os.path.getsize(f"{office.path}-wal")
    office.refused("is not the one that was last used here")
    expect(os.path.getsize(f"{office.path}-wal") == size > 0, "the log is left alone")
    os.remove(f"{office.path}-wal")
    os.remove(f"{office.path}-shm")
    office.server.start()
    office.server.stop()
    expect(count(office.path) == 3, "the back-up is served", count(office.path))
    office.gone()


def removed_while_running():
    office = ServedFile()
    acknowledged = office.clock(3)
    os.remove(f"{office.path}-wal")
    expect(office.clock(3) == 0, "nothing is acknowledged without a log")
    expect(office.ended() == 70, "the server ends", office.server.process.returncode)
    office.expect_logged(f"The file {office.path}-wal was removed", "the log tells")
    office.server.start()
    office.server.stop()
    expect(count(office.path) in (acknowledged, acknowledged + 1), "what was acknowledged is there", count(office.path))
    # An idle server notices too, and SIGTERM does not end it as if all were well.
    office.server.start()
    for suffix in ["", "-wal", "-shm", ".lock"]:
        os.remove(f"{office.path}{suffix}")
    expect(office.call("GET", "/health/ready") == 503, "readiness tells")
    expect(office.ended() == 70, "the server ends", office.server.process.returncode)
    office.gone()
    office = ServedFile()
    office.clock(1)
    os.remove(office.path)
    office.server.process.terminate()
    expect(office.ended() == 70, "SIGTERM ends it with 70", office.server.process.returncode)
    office.refused("is missing or empty")
    office.gone()


def second_server():
    office = ServedFile()
    os.remove(f"{office.path}.lock")
    office.refused("Another process", 1)
    office.gone()


def crashed():
    office = ServedFile()
    office.clock(3)
    office.server.kill()
    os.rename(office.path, office.folder / "elsewhere")
    office.refused("is missing or empty")
    expect(not office.path.exists(), "no file is made")
    os.rename(office.folder / "elsewhere", office.path)
    os.remove(f"{office.path}.lock")
    office.server.start()
    office.server.stop()
    expect(count(office.path) == 3, "the log counts, without a lock too", count(office.path))
    office.gone()


def misspelled():
    office = ServedFile()
    office.expect_logged("notice opened database sqlite=", "the log tells of the database")
    office.expect_logged(f" path={office.path} created=false", "the log names the file")
    office.server.stop()
    os.rename(office.path, office.folder / "elsewhere")
    office.refused("There is no database", 1, "--no-create-database")
    expect(not office.path.exists(), "no file is made")
    office.server.start()
    office.expect_logged(f" path={office.path} created=true", "the log tells of a new file")
    office.gone()


def idle():
    office = ServedFile()
    office.clock(3)
    copy = office.folder / "copy.db"
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        shutil.copy(office.path, copy)
        try:
            found = count(copy)
        except sqlite3.Error as error:
            found = error
        if found == 3:
            break
        time.sleep(0.2)
    expect(found == 3, "a copy of an idle server's file has everything", found)
    office.gone()


def main():
    for check in (replaced_while_running, removed_while_running, second_server, crashed, misspelled, idle):
        check()
    print(
        "database files: a server whose files are pulled away ends with 70, and no start takes a log for another file's"
    )


if __name__ == "__main__":
    main()

"""Files of 16 MiB are imported without being held in memory, whatever others send or do not send, and also with a
faulty disk.

A part of limits.py, which runs it.
"""

import datetime
import pathlib
import re
import resource
import threading
import time

from kit import client, open_files, raw_http, service

LIMIT = 16 * 1024 * 1024
ROWS = 2_048
# The most files of arriving content of an event loop, and for how long a peer may send nothing before it can lose its own.
SPOOLS = 16
PATIENCE_SECONDS = 2
# The most that four imports at once may add to the resident memory: less than two of their files.
GROWTH_LIMIT = 28 * 1024 * 1024
# Beyond --max-body, so that it is in a file.
BEGINNING = 300_000


def import_file(size=LIMIT):
    """A file of exactly this many bytes, with a long column that is ignored."""
    header = "email,clockInTime,clockOutTime,comment of another service\n"
    day = datetime.date(2012, 1, 1)
    rows = []
    for row in range(ROWS):
        date = day + datetime.timedelta(days=row)
        rows.append(f"long@example.com,{date} 09:00,{date} 17:00,")
    spare = size - len(header) - sum(len(row) + 1 for row in rows)
    padding = "x" * (spare // ROWS)
    rows = [row + padding for row in rows]
    rows[-1] += "x" * (spare % ROWS)
    text = (header + "\n".join(rows) + "\n").encode()
    assert len(text) == size, len(text)
    return text


def target(organization):
    return f"/v1/organizations/{organization}/timeEntries/import?format=generic"


def beginning(organization, length):
    """The beginning of a request without a token, whose content has this many bytes."""
    return (
        f"POST {target(organization)} HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


class Files:
    """The server's process, as the system shows it."""

    def __init__(self, clock, folder):
        self.process = clock.process.pid
        self.folder = folder

    def spools(self):
        """How many files of arriving or imported content are open. None of them has a name."""
        assert not list(self.folder.iterdir()), "a temporary file has a name"
        links = open_files.links(self.process)
        return sum(link.startswith(f"{self.folder}/") and link.endswith(" (deleted)") for link in links)

    def come_to(self, count):
        deadline = time.monotonic() + 10
        while (found := self.spools()) != count:
            assert time.monotonic() < deadline, f"{found} temporary files are open, not {count}"
            time.sleep(0.01)

    def memory(self, name):
        """A number of bytes from proc(5)."""
        status = pathlib.Path(f"/proc/{self.process}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) * 1024

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.process}/clear_refs").write_text("5")


def imported(clock, created, text, results):
    asking = client.Client(clock.port, timeout=120)
    results.append(
        asking.request(
            "POST",
            target(created["organizationID"]),
            created["token"],
            text,
            [("Content-Type", "text/csv"), ("Idempotency-Key", "the-file")],
        )
    )
    asking.close()


def check_exact_limit(clock, created):
    for length, status in ((LIMIT, None), (LIMIT + 1, 413)):
        with raw_http.RawConnection(clock.port) as connection:
            connection.send(beginning(created["organizationID"], length))
            connection.socket.settimeout(0.3 if status is None else raw_http.TIMEOUT_SECONDS)
            try:
                answer = connection.answer()
            except TimeoutError:
                answer = None
            assert (answer and answer.status) == status, f"a file of {length} bytes: {answer}"


def check_full_disk(clock, files, created, text):
    """No room on the disk is a problem of the request, and of no other."""
    resource.prlimit(clock.process.pid, resource.RLIMIT_FSIZE, (1024 * 1024, resource.RLIM_INFINITY))
    with raw_http.RawConnection(clock.port) as connection:
        connection.send(beginning(created["organizationID"], LIMIT))
        connection.send(text[: 4 * 1024 * 1024])
        answer = connection.answer()
        assert answer and answer.status == 503 and not raw_http.faults(answer, "POST"), f"a full disk: {answer}"
    files.come_to(0)
    asking = client.Client(clock.port)
    answer = asking.request(
        "POST", f"/v1/organizations/{created['organizationID']}/timeEntries/clockIn", created["token"]
    )
    assert answer.status == 201, f"a clock-in behind a full disk: {answer}"
    asking.close()
    # Lines are written by a thread of their own.
    wanted = re.compile(r"error .*request refused status=503 .*cause=write: File too large")
    deadline = time.monotonic() + 10
    while not wanted.search(log := (clock.folder / "server.log").read_text()):
        assert time.monotonic() < deadline, f"the log has no cause: {log[-2000:]}"
        time.sleep(0.01)
    resource.prlimit(clock.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def check_at_once(clock, files, offices, text):
    """Four at once, while others hold every file and send nothing. Returns the seconds and the growth of the memory."""
    held = [raw_http.RawConnection(clock.port) for _ in range(SPOOLS)]
    for connection in held:
        connection.send(beginning(offices[0]["organizationID"], LIMIT))
        connection.send(text[:BEGINNING])
    files.come_to(SPOOLS)
    time.sleep(PATIENCE_SECONDS)
    files.forget_peak()
    before, start = files.memory("VmRSS"), time.monotonic()
    results = []
    threads = [threading.Thread(target=imported, args=(clock, created, text, results)) for created in offices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds, growth = time.monotonic() - start, files.memory("VmHWM") - before
    for answer in results:
        report = answer.status == 200 and answer.json
        assert report and (report["taken"], report["refused"]) == (ROWS, 0), f"one of four imports: {answer}"
    assert growth < GROWTH_LIMIT, f"four imports at once take {growth} bytes of memory"
    given_up = [connection.answer() for connection in held if connection_has_answer(connection)]
    assert len(given_up) == len(offices) and all(answer.status == 503 for answer in given_up), given_up
    files.come_to(SPOOLS - len(offices))
    # The same request again has the same answer; one byte makes it another request.
    again = []
    imported(clock, offices[0], text, again)
    assert again[0].fields.get("idempotency-replayed") == "true", again
    imported(clock, offices[0], text[:-2] + b"y\n", again)
    assert again[1].status == 422 and again[1].code == "idempotency_key_reused", again
    for connection in held:
        connection.socket.close()
    files.come_to(0)
    return seconds, growth


def connection_has_answer(connection):
    connection.socket.settimeout(0.05)
    try:
        return connection.fill()
    except TimeoutError:
        return False


def check(binary, folder):
    """Returns one line about the findings."""
    temporary = pathlib.Path(folder, "temporary")
    temporary.mkdir()
    clock = service.Service(binary, folder, options=["--event-loops", "1", "--body-timeout", "600"])
    offices = [clock.create_organization(email=f"admin{number}@example.com") for number in range(4)]
    clock.environment = {"TMPDIR": str(temporary)}
    clock.start()
    files = Files(clock, temporary)
    text = import_file()
    check_exact_limit(clock, offices[0])
    check_full_disk(clock, files, offices[0], text)
    seconds, growth = check_at_once(clock, files, offices, text)
    with raw_http.RawConnection(clock.port) as connection:
        connection.send(beginning(offices[0]["organizationID"], LIMIT))
        connection.send(text[:BEGINNING])
        files.come_to(1)
        clock.kill()
    assert not list(temporary.iterdir()), "a kill leaves temporary files"
    clock.verify()
    return f"four files of 16 MiB imported at once in {seconds:.1f} s, with {growth / 1e6:.1f} MB of memory"

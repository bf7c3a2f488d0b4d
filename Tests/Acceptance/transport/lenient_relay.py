"""A relay before the server that changes passing bytes, and so makes a server that is wrong in one way.

For the control of http_conformance.py: the relay corrects bytes that a lenient server takes before the server sees
them, and removes from answers the parts that a careless server leaves out.
"""

import re
import socket
import threading

CONTENT_LENGTH = rb"(?i)content-length:[^\r]*\r\n"
TRANSFER_ENCODING = rb"(?i)transfer-encoding:[^\r]*\r\n"


class Mutant:
    """One way to be wrong: how requests or answers are changed, in which files' cases that shows, and one of these."""

    def __init__(self, name, files, found_by, request=None, answer=None):
        self.name = name
        self.files = files
        self.found_by = found_by
        self.request = request or unchanged
        self.answer = answer or unchanged
        self.is_faithful = found_by is None


def unchanged(data):
    return data


def replace(pattern, replacement):
    return lambda data: re.sub(pattern, replacement, data)


def length_beats_coding(data):
    return re.sub(TRANSFER_ENCODING, b"", data, count=1) if re.search(CONTENT_LENGTH, data) else data


def coding_beats_length(data):
    return re.sub(CONTENT_LENGTH, b"", data, count=1) if re.search(TRANSFER_ENCODING, data) else data


def first_length_counts(data):
    head, end, rest = data.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    lengths = [line for line in lines if line.lower().startswith(b"content-length:")]
    return b"\r\n".join(line for line in lines if line not in lengths[1:]) + end + rest


MUTANTS = [
    Mutant("nothing is changed", [], None),
    # Too lenient with requests.
    Mutant("LF ends a line", ["01", "04", "13"], "LF behind a field", replace(rb"(?<!\r)\n", rb"\r\n")),
    Mutant("CR ends a line", ["01", "04", "13"], "CR behind a field", replace(rb"\r(?!\n)", rb"\r\n")),
    Mutant("lines are unfolded", ["04", "07", "13"], "obs-fold with a space", replace(rb"\r\n[ \t]+", rb" ")),
    Mutant("space before a colon is passed over", ["04"], "a space before the colon", replace(rb"[ \t]+:", rb":")),
    Mutant(
        "control characters are dropped", ["04"], "a NUL in a value", replace(rb"[\0\x07\x08\x0b\x0c\x1b\x7f]", rb"")
    ),
    Mutant("Content-Length beats Transfer-Encoding", ["13"], "length wins: CL.TE", length_beats_coding),
    Mutant("Transfer-Encoding beats Content-Length", ["06", "13"], "coding wins: TE.CL", coding_beats_length),
    Mutant("the first Content-Length counts", ["05", "13"], "CL.CL: two lengths", first_length_counts),
    Mutant(
        "the first of a list of lengths counts",
        ["05"],
        "the same in a list",
        replace(rb"(Content-Length: [0-9]+),[ 0-9]*", rb"\1"),
    ),
    Mutant("a length may have a sign", ["05"], "a plus sign", replace(rb"(Content-Length: )\+", rb"\1")),
    Mutant(
        "every coding is chunked",
        ["06"],
        "identity",
        replace(rb"Transfer-Encoding:[^\r]*", rb"Transfer-Encoding: chunked"),
    ),
    Mutant("a chunk's size may have a prefix", ["07"], "a prefix", replace(rb"\r\n0x", rb"\r\n")),
    Mutant(
        "a chunk's size may have white space",
        ["07"],
        "a space behind the size",
        replace(rb"(\r\n[0-9])[ \t]+\r", rb"\1\r"),
    ),
    Mutant("close is not understood", ["09"], "close", replace(rb"(?i)\bclose\b", rb"x")),
    Mutant("HTTP/1.0 stays open", ["09"], "closes", replace(rb"HTTP/1.0\r\n", rb"HTTP/1.1\r\nHost: a\r\n")),
    Mutant("Host is not looked at", ["03"], "user information", replace(rb"Host:[^\r]*", rb"Host: a")),
    Mutant("a fragment is cut off", ["02"], "a fragment", replace(rb"#[^ ]*", rb"")),
    Mutant("methods have no case", ["11"], "in small letters, it executes nothing", replace(rb"\Apost ", rb"POST ")),
    Mutant("any version is HTTP/1.1", ["01"], "HTTP/2.0", replace(rb"HTTP/[0-9]\.[0-9]\r", rb"HTTP/1.1\r")),
    Mutant("HEAD is GET", ["11"], "of something", replace(rb"\AHEAD ", rb"GET ")),
    # Careless with answers.
    Mutant("answers have no Date", ["12"], "200", answer=replace(rb"Date: [^\r]*\r\n", rb"")),
    Mutant("Date has another form", ["12"], "200", answer=replace(rb"Date: [^\r]*\r\n", rb"Date: 2026-11-21\r\n")),
    Mutant("answers may be stored", ["12"], "404", answer=replace(rb"no-store", rb"private")),
    Mutant(
        "refusals have no nosniff",
        ["12"],
        "431",
        answer=lambda data: re.sub(rb"X-Content-Type-Options: nosniff\r\n", b"", data) if b"close" in data else data,
    ),
    Mutant(
        "refusals can be framed",
        ["12"],
        "431",
        answer=lambda data: re.sub(rb"Content-Security-[^\r]*\r\n", b"", data) if b"close" in data else data,
    ),
    Mutant("405 has no Allow", ["11"], "PUT", answer=replace(rb"Allow: [^\r]*\r\n", rb"")),
    Mutant("401 has no WWW-Authenticate", ["12"], "401 without a token", answer=replace(rb"WWW-[^\r]*\r\n", rb"")),
    Mutant("the status line ends with LF", ["12"], "200", answer=lambda data: data.replace(b"\r\n", b"\n", 1)),
    Mutant("close is not announced", ["09"], "close", answer=replace(rb"Connection: close\r\n", rb"")),
    Mutant("an answer is sent twice", ["09"], "keep-alive", answer=lambda data: data + data),
    Mutant(
        "100 is sent to HTTP/1.0",
        ["08"],
        "is ignored in HTTP/1.0",
        answer=lambda data: b"HTTP/1.1 100 Continue\r\n\r\n" + data,
    ),
]


class Relay:
    """Listens on a port of its own, and passes everything on, as the mutant has it."""

    def __init__(self, port, mutant):
        self.target = port
        self.mutant = mutant
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.threads = []

    def __enter__(self):
        self.start(self.accept)
        return self

    def __exit__(self, *_):
        # Wakes the thread that accepts.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self.threads:
            thread.join(timeout=10)

    def start(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def accept(self):
        while True:
            try:
                outside, _ = self.listener.accept()
            except OSError:
                return
            inside = socket.create_connection(("127.0.0.1", self.target))
            self.start(pass_on, outside, inside, self.mutant.request)
            self.start(pass_on, inside, outside, self.mutant.answer)


def pass_on(source, target, change):
    """Sends the bytes of one to the other, until that ends."""
    try:
        while data := source.recv(1 << 20):
            target.sendall(change(data))
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass

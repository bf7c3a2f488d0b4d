"""A connection on which a test sends any bytes, and which takes nothing for an answer that is not exactly one.

Unlike client.py, which trusts the service, this reads answers by the grammar of RFC 9112 and complains of all else.
"""

import re
import socket

# Longer than any answer takes that a test waits for; a test never waits this long if all is well.
TIMEOUT_SECONDS = 20

STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5][0-9]{2}) ([\t \x21-\x7e]*)")
FIELD_LINE = re.compile(
    rb"([-!#$%&'*+.^_`|~0-9A-Za-z]+):[\t ]*"
    rb"((?:[\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[\t ]*"
)
DATE = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-3][0-9] (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} "
    r"[0-2][0-9]:[0-5][0-9]:[0-6][0-9] GMT"
)


class Malformed(Exception):
    """The server's bytes are no answer of HTTP/1.1."""


class Answer:
    def __init__(self, status, fields, body=b""):
        self.status = status
        # In order, by names in lower case.
        self.fields = fields
        self.body = body

    def values(self, name):
        return [value for key, value in self.fields if key == name]

    def value(self, name):
        """The one value of a field; None if there is none, or more than one."""
        values = self.values(name)
        return values[0] if len(values) == 1 else None

    @property
    def is_interim(self):
        return self.status < 200

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class RawConnection:
    """Sends bytes as they are, and reads answers."""

    def __init__(self, port, timeout=TIMEOUT_SECONDS, host="127.0.0.1", source=None, options=()):
        """Connects, from the address `source` if one is given; `options` are set on the socket before."""
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        for level, name, value in options:
            self.socket.setsockopt(level, name, value)
        if source:
            self.socket.bind((source, 0))
        self.socket.settimeout(timeout)
        self.socket.connect((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = bytearray()
        self.has_ended = False
        # Whether the end was a reset, which may have taken an answer away.
        self.was_reset = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends all of it; false if the server does not take it any more."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def half_close(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def answer(self, method="GET"):
        """The next answer, None if the connection has ended.

        Raises `Malformed`, and `TimeoutError` if nothing comes.
        """
        while (end := self.received.find(b"\r\n\r\n")) < 0:
            if not self.fill():
                if self.received:
                    raise Malformed(f"half an answer: {bytes(self.received)!r}")
                return None
        answer = parse_head(bytes(self.received[:end]))
        del self.received[: end + 4]
        answer.body = self.content(answer, method)
        return answer

    def content(self, answer, method):
        codings = answer.values("transfer-encoding")
        lengths = answer.values("content-length")
        if codings and lengths:
            raise Malformed("Content-Length with Transfer-Encoding")
        if answer.is_interim or answer.status in (204, 304):
            if codings or lengths:
                raise Malformed(f"{answer.status} with {codings or lengths}")
            return b""
        if len(lengths) > 1 or not all(re.fullmatch("[0-9]+", length) for length in lengths):
            raise Malformed(f"Content-Length: {lengths}")
        if method == "HEAD":
            return b""
        if codings:
            if codings != ["chunked"]:
                raise Malformed(f"Transfer-Encoding: {codings}")
            return self.chunks()
        if lengths:
            return self.take(int(lengths[0]))
        # The end of the connection ends it.
        while self.fill():
            pass
        return self.take(len(self.received))

    def chunks(self):
        content = b""
        while True:
            line = self.line()
            if not re.fullmatch(rb"[0-9A-Fa-f]+", line):
                raise Malformed(f"a chunk's size is {line!r}")
            size = int(line, 16)
            content += self.take(size)
            if self.line() != b"":
                raise Malformed("a chunk does not end with CR LF, or there are trailers")
            if size == 0:
                return content

    def line(self):
        while (end := self.received.find(b"\r\n")) < 0:
            if not self.fill():
                raise Malformed("the connection ended within a line")
        line = bytes(self.received[:end])
        del self.received[: end + 2]
        return line

    def take(self, count):
        while len(self.received) < count:
            if not self.fill():
                raise Malformed("the connection ended within an answer's content")
        data = bytes(self.received[:count])
        del self.received[:count]
        return data

    def fill(self):
        """Reads waiting bytes; false at the end."""
        if self.has_ended:
            return False
        try:
            data = self.socket.recv(65_536)
        except ConnectionResetError:
            self.was_reset = True
            data = b""
        self.received += data
        self.has_ended = not data
        return not self.has_ended


def parse_head(head):
    """The answer whose status line and fields these are. Raises `Malformed`."""
    lines = head.split(b"\r\n")
    status_line = STATUS_LINE.fullmatch(lines[0])
    if not status_line:
        raise Malformed(f"no status line: {lines[0][:200]!r}")
    fields = []
    for line in lines[1:]:
        field = FIELD_LINE.fullmatch(line)
        if not field:
            raise Malformed(f"no field line: {line[:200]!r}")
        fields.append((field[1].decode().lower(), field[2].decode("latin-1")))
    return Answer(int(status_line[1]), fields)


def faults(answer, method, version="1.1"):
    """Faults by the rules that hold for every answer of the service."""
    wrong = []

    def expect(condition, what):
        if not condition:
            wrong.append(f"{answer.status}: {what}")

    if answer.is_interim:
        expect(version == "1.1", "an interim answer to HTTP/1.0 (RFC 9110, 15.2)")
        return wrong
    expect(DATE.fullmatch(answer.value("date") or ""), "not one Date as an IMF-fixdate (RFC 9110, 5.6.7 and 6.6.1)")
    expect(answer.value("cache-control") == "no-store", "not Cache-Control: no-store")
    expect(answer.value("x-content-type-options") == "nosniff", "not X-Content-Type-Options: nosniff")
    expect(
        answer.value("content-security-policy") == "default-src 'none'; frame-ancestors 'none'",
        "not the Content-Security-Policy",
    )
    if version == "1.0":
        expect(not answer.values("transfer-encoding"), "Transfer-Encoding to HTTP/1.0 (RFC 9112, 6.1)")
    if answer.status == 401:
        expect(answer.values("www-authenticate"), "no WWW-Authenticate (RFC 9110, 15.5.2)")
    if answer.status == 405:
        expect(answer.values("allow"), "no Allow (RFC 9110, 15.5.6)")
    if answer.status in (429, 503):
        expect(re.fullmatch("[0-9]+", answer.value("retry-after") or ""), "no Retry-After")
    if answer.status >= 400:
        expect(answer.value("content-type") == "application/problem+json", "no problem")
        if method != "HEAD":
            expect(f'"status":{answer.status},'.encode() in answer.body, "a problem of another status")
    return wrong

"""One client's connection, kept open, for acceptance tests that send many requests."""

import json
import socket


class Answer:
    def __init__(self, status, fields, body):
        self.status = status
        # By names in lower case.
        self.fields = fields
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The problem's code; None if it is no problem, or one to a HEAD."""
        is_problem = self.fields.get("content-type", "").startswith("application/problem+json")
        return self.json["code"] if is_problem and self.body else None

    def __repr__(self):
        return f"{self.status} {self.fields} {self.body[:500]!r}"


class Client:
    """Sends one request after the other, and connects again if the connection was lost."""

    def __init__(self, port, timeout=30, source=None):
        """`source` is the address to connect from, of 127.0.0.0/8; any if it is None."""
        self.port = port
        self.timeout = timeout
        self.source = source and (source, 0)
        self.socket = None
        self.stream = None

    def request(self, method, path, token=None, body=None, fields=()):
        """The answer.

        A `body` that is no bytes is sent as JSON. Raises `OSError` if there is no answer, or half of one.
        """
        self.send(method, path, token, body, fields)
        return self.receive(method)

    def send(self, method, path, token=None, body=None, fields=()):
        self.connect()
        try:
            self.socket.sendall(written(method, path, token, body, fields))
        except OSError:
            self.close()
            raise

    def receive(self, method="GET"):
        try:
            answer = read_answer(self.stream, method)
        except OSError:
            self.close()
            raise
        if answer.fields.get("connection", "").lower() == "close":
            self.close()
        return answer

    def close(self):
        if self.socket:
            self.stream.close()
            self.socket.close()
        self.socket = None

    def connect(self):
        if self.socket:
            return
        self.socket = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")


def written(method, path, token=None, body=None, fields=()):
    """A request's bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if not any(name.lower() == "content-type" for name, _ in fields):
            lines.append("Content-Type: application/json")
    if body is not None or method not in ("GET", "HEAD", "DELETE"):
        lines.append(f"Content-Length: {len(body or b'')}")
    lines += [f"{name}: {value}" for name, value in fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


def at_once(clients, requests):
    """The answers to one request for each client: the last byte of each is held back, and then all are sent together."""
    for one, request in zip(clients, requests):
        one.connect()
        one.socket.sendall(request[:-1])
    for one, request in zip(clients, requests):
        one.socket.sendall(request[-1:])
    return [one.receive() for one in clients]


def elements(ask, path, name):
    """All elements of a list, page by page; `ask` answers the content of a page by its path, which has a query."""
    cursor = ""
    while cursor is not None:
        page = ask(path + cursor)
        yield from page[name]
        cursor = page["nextCursor"] and f"&cursor={page['nextCursor']}"


def read_answer(stream, method="GET"):
    """Reads an answer off a connection. Raises `OSError` if it ends before the answer does."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise ConnectionResetError("the connection ended without an answer")
    status = int(line.split()[1])
    fields = {}
    while (line := stream.readline()) != b"\r\n":
        if not line.endswith(b"\n"):
            raise ConnectionResetError("the connection ended within a head")
        name, _, value = line.decode().partition(":")
        fields[name.lower()] = value.strip()
    if method != "HEAD" and fields.get("transfer-encoding", "").lower() == "chunked":
        return Answer(status, fields, read_chunks(stream))
    length = 0 if method == "HEAD" else int(fields.get("content-length", 0))
    return Answer(status, fields, read_exactly(stream, length))


def read_exactly(stream, length):
    body = stream.read(length)
    if len(body) < length:
        raise ConnectionResetError("the connection ended within a body")
    return body


def chunk_length(stream):
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise ConnectionResetError("the connection ended within a body")
    return int(line, 16)


def read_chunks(stream):
    """The content of a body that comes in chunks, without trailers."""
    body = b""
    while length := chunk_length(stream):
        body += read_exactly(stream, length)
        read_exactly(stream, 2)
    read_exactly(stream, 2)
    return body

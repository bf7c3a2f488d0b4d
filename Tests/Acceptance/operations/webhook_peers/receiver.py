"""A receiver of webhooks on loopback: it keeps its messages, and answers as set."""

import contextlib
import dataclasses
import json
import os
import socket
import socketserver
import ssl
import struct
import threading
import time

# Longer than any time-out of the service.
FOREVER = 60


@dataclasses.dataclass
class Arrival:
    """A message as it came."""

    fields: dict
    body: bytes
    # The sender's port, by which its process is known.
    port: int
    begin: float
    # None for as long as nobody has answered.
    end: float | None = None
    # Whether it was answered 2xx.
    is_taken: bool = False

    @property
    def id(self):
        return self.fields.get("webhook-id", "")

    @property
    def sequence(self):
        """The number of the change; 0 for a ping."""
        number = [*self.id.split("."), ""][1]
        return int(number) if number.isdigit() else 0

    @property
    def epoch(self):
        """The epoch of the log in the id; nothing for a ping."""
        return self.id.split(".")[2] if self.sequence else ""

    @property
    def json(self):
        return json.loads(self.body)


class Mailbox:
    """The messages to one path, and their answers."""

    def __init__(self, path):
        self.path = path
        self.arrivals = []
        # How the next messages are answered, before all others are with 204: by a status, or by a function of the exchange.
        self.answers = []
        # Changes an arrival before anybody sees it; None lets it go by unseen. For self-checks.
        self.spoil = lambda arrival: [arrival]
        self.lock = threading.Lock()

    def keep(self, arrival):
        with self.lock:
            self.arrivals += self.spoil(arrival)
            return self.answers.pop(0) if self.answers else 204

    @property
    def sequences(self):
        """The changes of the arrivals without the pings, repeats among them."""
        return [one.sequence for one in list(self.arrivals) if one.sequence]

    @property
    def taken(self):
        """The changes that were answered 2xx."""
        return [one.sequence for one in list(self.arrivals) if one.sequence and one.is_taken]


class Exchange:
    """One message whose answer is still to be given."""

    def __init__(self, connection, arrival):
        self.connection = connection
        self.arrival = arrival

    def answer(self, status, fields=(), body=b""):
        self.arrival.is_taken = 200 <= status < 300
        lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", *fields]
        self.connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def is_left(self, seconds):
        """Whether the sender goes within this time."""
        self.connection.settimeout(seconds)
        try:
            return self.connection.recv(1) == b""
        except TimeoutError:
            return False
        except OSError:
            return True


def close(exchange):
    """No answer, and the end."""
    exchange.connection.shutdown(socket.SHUT_RDWR)


def reset(exchange):
    """No answer, and an end without a goodbye."""
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(exchange.connection.detach())


def refuse(exchange):
    exchange.answer(500, ["Connection: close"])
    exchange.connection.shutdown(socket.SHUT_WR)


def redirect(exchange):
    exchange.answer(307, ["Location: /elsewhere", "Connection: close"])
    exchange.connection.shutdown(socket.SHUT_WR)


def silent(exchange):
    """No answer for as long as the sender waits."""
    exchange.is_left(FOREVER)


def trickle(exchange):
    """An answer that never gets done, some bytes a second."""
    exchange.connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while not exchange.is_left(0.3):
        exchange.connection.sendall(b"X-More: x\r\n")


def endless(exchange):
    """A 200 whose content has no end: the status says that it is taken."""
    exchange.arrival.is_taken = True
    exchange.connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not exchange.is_left(0.01):
        exchange.connection.sendall(b"1000\r\n" + b"x" * 4_096 + b"\r\n")


class Receiver:
    """The server; use it in a `with`."""

    def __init__(self, certificate=None):
        """`certificate` is a file with a certificate and its key, for TLS."""
        self.mailboxes = {}
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
        receiver = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                # Senders that go are part of it.
                with contextlib.suppress(OSError, ValueError):
                    receiver.serve(self.request, self.client_address[1])

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 64

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def mailbox(self, path):
        return self.mailboxes.setdefault(path, Mailbox(path))

    def url(self, path, host="127.0.0.1"):
        return f"{'https' if self.context else 'http'}://{host}:{self.port}{path}"

    def serve(self, connection, port):
        if self.context:
            connection = self.context.wrap_socket(connection, server_side=True)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection.makefile("rb") as stream:
            while line := stream.readline():
                method, path, _ = line.decode().split()
                fields = {}
                while (line := stream.readline()) not in (b"\r\n", b""):
                    name, _, value = line.decode().partition(":")
                    fields[name.lower()] = value.strip()
                body = stream.read(int(fields.get("content-length", 0)))
                arrival = Arrival(fields | {":method": method}, body, port, time.monotonic())
                answer = self.mailbox(path).keep(arrival)
                exchange = Exchange(connection, arrival)
                try:
                    if callable(answer):
                        answer(exchange)
                    else:
                        # Before the sender has it, and may send the next.
                        arrival.end = time.monotonic()
                        exchange.answer(answer)
                finally:
                    arrival.end = arrival.end or time.monotonic()


def wait(condition, what, seconds=20):
    """Returns the condition's value, once it has one."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise SystemExit(f"webhook_peer: {what} did not come to be in {seconds} s")
        time.sleep(0.03)
    return found

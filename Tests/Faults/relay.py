"""Stands between servers and PostgreSQL, knows where its messages begin and end, and loses them on request.

It listens on a loopback port and connects to the cluster's Unix socket. Clients must ask for no encryption
(`sslmode=disable gssencmode=disable`): then everything but the first message is a byte for its kind, four bytes of
length, and the content (postgresql.org/docs/current/protocol-message-formats.html). It works in a process of its own.
"""

import contextlib
import dataclasses
import multiprocessing
import os
import signal
import socket
import struct
import threading
import time

# Faults that happen once, to the first connection that comes to that point.
CUT_AT_BYTES = "cut at bytes"
CUT_BEFORE_COMMIT = "cut before COMMIT"
CUT_BEHIND_COMMIT = "cut behind COMMIT"
CUT_AT_ANSWER = "cut at the answer to COMMIT"
SILENT_BEHIND_COMMIT = "silent behind COMMIT"
# Faults that last until the next order. A connection that is silent stays, and carries nothing any more.
SILENT = "silent"
DELAYED = "delayed"
CLOSED = "closed"
# It says that transactions were committed, and has them rolled back: the control.
LYING = "lying"


@dataclasses.dataclass
class Order:
    """`amount` is the number of bytes before CUT_AT_BYTES, and the seconds that DELAYED adds to each way."""

    behavior: str | None = None
    amount: float = 0


class Relay:
    """The relay's process; use it in a `with`."""

    def __init__(self, cluster):
        self._target = f"{cluster.folder}/.s.PGSQL.{cluster.port or 5432}"

    def __enter__(self):
        listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = listening.getsockname()[1]
        self._channel, far = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("fork").Process(
            target=_serve, args=(listening, self._target, far), daemon=True
        )
        self._process.start()
        listening.close()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()

    def location(self, direct):
        """The same database by way of this relay."""
        words = [word for word in direct.split() if not word.startswith(("host=", "port="))]
        return " ".join([f"host=127.0.0.1 port={self.port}", *words, "sslmode=disable gssencmode=disable"])

    def behave(self, behavior=None, amount=0):
        """From now on. Connections that were silenced until now are cut."""
        self._channel.send(Order(behavior, amount))
        self._channel.recv()

    def once(self, behavior, amount=0, patience=10):
        """Returns when it has happened."""
        self.behave(behavior, amount)
        deadline = time.monotonic() + patience
        while not self._has_happened():
            if time.monotonic() > deadline:
                raise SystemExit(f"nothing came to be {behavior} for {patience} s")
            time.sleep(0.005)

    def _has_happened(self):
        self._channel.send(None)
        return self._channel.recv()


class _State:
    """The state that all connections of the process share."""

    def __init__(self, target):
        self.target = target
        self._lock = threading.Lock()
        self._bytes = 0
        self.order = Order()
        self.connections = set()

    def obey(self, order):
        with self._lock:
            self.order, self._bytes = order, 0
            connections = list(self.connections)
        for connection in connections:
            # A lie begins with a connection, and ends with it.
            if connection.is_silent or connection.lies or order.behavior in (CLOSED, LYING):
                connection.cut()

    def add(self, connection):
        with self._lock:
            self.connections.add(connection)

    def remove(self, connection):
        """Whether it was there."""
        with self._lock:
            was_there = connection in self.connections
            self.connections.discard(connection)
            return was_there

    def takes(self, *behaviors):
        """The order, if it is one of these, which happen once: now, and so no more."""
        with self._lock:
            if self.order.behavior not in behaviors:
                return None
            order, self.order = self.order, Order()
            return order.behavior

    def room(self, length):
        """Counts bytes towards CUT_AT_BYTES: how many of these still go on; None if nothing ends in them."""
        with self._lock:
            if self.order.behavior != CUT_AT_BYTES:
                return None
            self._bytes += length
            if self._bytes < self.order.amount:
                return None
            left = int(self.order.amount - (self._bytes - length))
            self.order = Order()
            return left


class _Connection:
    def __init__(self, state, client):
        self.is_silent = False
        self.lies = state.order.behavior == LYING
        self._state = state
        # The names under which this client has prepared COMMIT.
        self._commits = set()
        # The fault behind the commit that is being handed on.
        self._behind_commit = None
        self._client = client
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.connect(state.target)

    def start(self):
        self._state.add(self)
        for work in (self._upstream, self._downstream):
            threading.Thread(target=self._guard, args=(work,), daemon=True).start()

    def cut(self):
        """Ends both sides, the client's with a reset."""
        with contextlib.suppress(OSError):
            self._client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for side in (self._client, self._server):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)

    def _guard(self, work):
        with contextlib.suppress(OSError, EOFError):
            work()
        self.cut()
        # Both ways use both sockets: the second one closes them.
        if not self._state.remove(self):
            self._client.close()
            self._server.close()

    def _upstream(self):
        with self._client.makefile("rb", buffering=65536) as stream:
            # The first message has no byte for its kind.
            length = _exactly(stream, 4)
            self._hand_on(self._server, length + _exactly(stream, struct.unpack("!I", length)[0] - 4))
            while True:
                kind, content = _message(stream)
                if kind == b"P":
                    content = self._prepared(content)
                elif self._is_commit(kind, content):
                    if self._state.takes(CUT_BEFORE_COMMIT):
                        return
                    self._behind_commit = self._state.takes(CUT_BEHIND_COMMIT, SILENT_BEHIND_COMMIT)
                # Bind, Execute and Sync come one behind the other.
                is_end = kind in (b"S", b"Q")
                self._hand_on(self._server, _packed(kind, content), is_end)
                if is_end and self._behind_commit == CUT_BEHIND_COMMIT:
                    return
                if is_end and self._behind_commit == SILENT_BEHIND_COMMIT:
                    self.is_silent = True

    def _downstream(self):
        with self._server.makefile("rb", buffering=65536) as stream:
            while True:
                kind, content = _message(stream)
                if kind == b"C" and content == b"COMMIT\0" and self._state.takes(CUT_AT_ANSWER):
                    return
                if kind == b"C" and content == b"ROLLBACK\0" and self.lies:
                    content = b"COMMIT\0"
                self._hand_on(self._client, _packed(kind, content), is_end=kind == b"Z")

    def _prepared(self, content):
        """Remembers the names of COMMIT; the form in which a Parse is handed on."""
        name, statement, rest = content.split(b"\0", 2)
        self._commits.discard(name)
        if statement.upper() != b"COMMIT":
            return content
        self._commits.add(name)
        return b"\0".join([name, b"ROLLBACK", rest]) if self.lies else content

    def _is_commit(self, kind, content):
        if kind == b"B":
            return content.split(b"\0", 2)[1] in self._commits
        return kind == b"Q" and content.upper() == b"COMMIT\0"

    def _hand_on(self, side, data, is_end=False):
        if self.is_silent or self._state.order.behavior == SILENT:
            self.is_silent = True
            return
        if is_end and self._state.order.behavior == DELAYED:
            time.sleep(self._state.order.amount)
        room = self._state.room(len(data))
        side.sendall(data[:room])
        if room is not None:
            raise EOFError


def _exactly(stream, length):
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _message(stream):
    head = _exactly(stream, 5)
    return head[:1], _exactly(stream, struct.unpack("!I", head[1:])[0] - 4)


def _packed(kind, content):
    return kind + struct.pack("!I", len(content) + 4) + content


def _serve(listening, target, channel):
    """The work of the process until its maker is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    state = _State(target)
    threading.Thread(target=_accept, args=(listening, state), daemon=True).start()
    with contextlib.suppress(EOFError):
        while True:
            order = channel.recv()
            if order is None:
                channel.send(state.order.behavior is None)
            else:
                state.obey(order)
                channel.send(True)
    os._exit(0)


def _accept(listening, state):
    while True:
        client, _ = listening.accept()
        if state.order.behavior == CLOSED:
            client.close()
            continue
        try:
            _Connection(state, client).start()
        except OSError:
            # The database is away.
            client.close()

"""Clients that ask for something large over and over, and read it as fast as it comes, each in a process of its own."""

import contextlib
import itertools
import multiprocessing
import random
import signal
import socket

# As much as curl(1) takes at once, more or less: a core is nobody else's while the system copies that.
BUFFER = 1 << 16
END = b"\r\n0\r\n\r\n"


class Reader:
    """One client on one keep-alive connection; use it in a `with`. It begins with a random one of its requests."""

    def __init__(self, port, requests):
        self.answers, self.bytes = multiprocessing.Value("Q", 0), multiprocessing.Value("Q", 0)
        first = random.randrange(len(requests))
        in_turn = requests[first:] + requests[:first]
        self.process = multiprocessing.Process(target=self._read, args=(port, in_turn), daemon=True)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.has_failed = not self.process.is_alive()
        self.process.kill()
        self.process.join()

    def _read(self, port, requests):
        # The user's interruption is the parent's to handle.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        buffer = memoryview(bytearray(BUFFER))
        with socket.create_connection(("127.0.0.1", port)) as connection:
            for request in itertools.cycle(requests):
                connection.sendall(request)
                self._read_answer(connection, buffer)
                self.answers.value += 1

    def _read_answer(self, connection, buffer):
        length = connection.recv_into(buffer)
        head, _, content = bytes(buffer[:length]).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(bytes(buffer[:length]).decode(errors="replace"))
        expected = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
        received, end = len(content), content[-len(END) :]
        self.bytes.value += received
        while received < int(expected) if expected else end != END:
            length = connection.recv_into(buffer)
            if not length:
                raise SystemExit("the service closed a connection")
            received += length
            end = (end + bytes(buffer[max(0, length - len(END)) : length]))[-len(END) :]
            self.bytes.value += length


@contextlib.contextmanager
def reading(port, kinds):
    """A reader for each list of requests, while something else is done."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Reader(port, requests)) for requests in kinds]

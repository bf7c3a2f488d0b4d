"""A proxy that knows no chunks, for the control of behind_proxies.py.

It takes a request for over if Content-Length says, or else at the end of its head, sends all clients' requests over one
connection to the server, and gives each client the next answer. Chunked content gets it out of step.
"""

import re
import socket
import threading

from kit import raw_http


class CarelessProxy:
    name = "a careless proxy"

    def __init__(self, _, server_port):
        self.server_port = server_port
        self.lock = threading.Lock()
        self.server = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def connection(self, source, timeout=raw_http.TIMEOUT_SECONDS):
        return raw_http.RawConnection(self.port, timeout)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        data = b""
        with client:
            while True:
                while (request := first_request(data)) is None:
                    try:
                        piece = client.recv(65_536)
                    except OSError:
                        return
                    if not piece:
                        return
                    data += piece
                data = data[len(request) :]
                answer = self.exchanged(request)
                if answer is None:
                    return
                try:
                    client.sendall(answer)
                except OSError:
                    return

    def exchanged(self, request):
        """The next answer on the one connection to the server, which need not be to this request."""
        with self.lock:
            if self.server is None:
                self.server = raw_http.RawConnection(self.server_port, timeout=0.3)
            try:
                self.server.send(request)
                answer = self.server.answer(request.partition(b" ")[0].decode("latin-1"))
            except (OSError, raw_http.Malformed):
                answer = None
            if answer is None:
                # The server does not answer incomplete requests, and the connection stays as it is.
                if self.server.has_ended:
                    self.server = None
                return None
        lines = [f"HTTP/1.1 {answer.status} OK"] + [
            f"{name}: {value}"
            for name, value in answer.fields
            if name not in ("content-length", "transfer-encoding", "connection")
        ]
        length = [] if answer.status == 204 else [f"Content-Length: {len(answer.body)}"]
        return "\r\n".join(lines + length).encode("latin-1") + b"\r\n\r\n" + answer.body


def first_request(data):
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    length = re.search(rb"(?i)\r\ncontent-length: *([0-9]+)\r\n", data[: end + 2])
    size = end + 4 + (int(length[1]) if length else 0)
    return data[:size] if len(data) >= size else None

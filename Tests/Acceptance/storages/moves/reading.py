"""A reader of an organization's feed that goes on where it was, and a receiver of its webhook."""

import contextlib
import http.server
import threading
import time

import moving

PAUSE_SECONDS = 0.2


class Reader(threading.Thread):
    """Asks for new changes with `after` and `epoch`, and follows the organization."""

    def __init__(self, party):
        super().__init__(daemon=True)
        self.party = party
        self.changes = []
        self.epoch = None
        self.after = 0
        self.faults = []
        self.journey = moving.Journey()
        self._is_over = threading.Event()
        self._client = self.journey.client(party.home.ports[-1])

    def run(self):
        while not self._is_over.wait(PAUSE_SECONDS):
            try:
                # Without an answer, or with one of a service without its database, it asks again.
                with contextlib.suppress(OSError):
                    self.read()
            except Exception as error:  # A thread's error would be lost.
                self.faults.append(repr(error))
                return

    def end(self):
        self._is_over.set()
        if self.is_alive():
            self.join()

    def read(self):
        """Takes all that is there. Returns whether anything was answered."""
        while True:
            path = f"/v1/organizations/{self.party.id}/changes?limit=1000&after={self.after}"
            answer = self._client.request(
                "GET", path + (f"&epoch={self.epoch}" if self.epoch else ""), self.party.token
            )
            if answer.status == 503 and answer.code == "unavailable":
                return False
            if answer.status != 200:
                self.faults.append(f"the feed of {self.party.name} behind {self.after}: {answer}")
                return False
            page = answer.json
            if self.epoch not in (None, page["epoch"]):
                self.faults.append(f"the feed's epoch {self.epoch} became {page['epoch']}")
            self.epoch = page["epoch"]
            self.changes += page["changes"]
            if page["nextAfter"] == self.after:
                return True
            self.after = page["nextAfter"]


class Receiver:
    """A receiver of webhooks on loopback; use it in a `with`."""

    def __init__(self):
        # By path: the id of each message, and when it came.
        self.arrivals = {}
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                receiver.arrivals.setdefault(self.path, []).append((self.headers["webhook-id"], time.monotonic()))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def url(self, path):
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

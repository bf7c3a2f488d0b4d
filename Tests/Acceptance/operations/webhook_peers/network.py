"""Private addresses that are not connected to, under any name and any later meaning of one; and the certificates that
TLS trusts."""

import contextlib
import sqlite3
import subprocess

from kit.expecting import expect, expect_equal

from . import judge, receiver, shims
from .office import Office

# This machine, its networks and nobody, in all spellings.
PRIVATE = [
    *[
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0x7f.1",
        "127.0.0.1.",
        "localhost",
        "LocalHost.",
    ],
    *[
        "0.0.0.0",
        "0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "240.0.0.1",
    ],
    *["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[fe80::1]"],
    *["[fd00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[ff02::1]"],
    *["loopback.internal", "mapped.internal", "metadata.internal", "both.internal"],
]
# Neighbors of the addresses that the operator finally allows.
NEIGHBORS = ["127.0.0.2", "10.21.0.1", "[::1]", "10.0.0.1"]
PUBLIC, CLOSED, OTHER = "9.9.9.9", "9.9.9.8", "9.9.9.10"
NAMES = [
    *["closed 9.9.9.8", "loopback.internal 127.0.0.1", "mapped.internal ::ffff:127.0.0.1"],
    *["metadata.internal 169.254.169.254", "both.internal ::1 127.0.0.1 10.0.0.1", f"public.internal {PUBLIC}"],
    *[f"moving.internal {PUBLIC}", "moving.internal 127.0.0.1"],
    *["shy.internal 127.0.0.1", f"shy.internal {PUBLIC}"],
    *[f"first.internal {PUBLIC} 127.0.0.1", f"second.internal 127.0.0.1 {PUBLIC}", f"third.internal ::1 {PUBLIC}"],
    *[f"half.internal {CLOSED} 127.0.0.1", f"other.internal {OTHER}"],
]


def make_certificate(folder, name, host):
    """A certificate that signs itself, with its key, in one file; and alone."""
    key, alone, both = (folder / f"{name}.{kind}" for kind in ("key", "crt", "pem"))
    made = subprocess.run(
        [
            *["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
            *[
                "-keyout",
                key,
                "-out",
                alone,
                "-days",
                "2",
                "-subj",
                f"/CN={host}",
                "-addext",
                f"subjectAltName=DNS:{host}",
            ],
        ],
        capture_output=True,
        text=True,
    )
    expect(made.returncode == 0, "no certificate", made.stderr)
    both.write_text(alone.read_text() + key.read_text())
    return both, alone


class Network:
    def __init__(self, folder, peer, options=()):
        self.peer = peer
        self.network = shims.Network(folder)
        for line in NAMES:
            self.network.name(line)
        self.good, trusted = make_certificate(folder, "good", "public.internal")
        self.bad, _ = make_certificate(folder, "bad", "public.internal")
        # It is made while its address is allowed.
        at_first = ["--webhook-allow", "127.0.0.1"]
        self.server = shims.make(folder, "network", None, at_first, network=self.network, trust=trusted)
        created = self.server.create_organization()
        self.server.start(shims.START_SECONDS)
        self.office = Office(self.server, created, peer)
        self.webhook = self.office.webhook("/network", ["invitation"])
        self.office.close()
        self.server.stop()
        self.server.options = list(options)
        self.server.start(shims.START_SECONDS)
        # The address that it has may be stated again.
        self.keep("https://nobody.example/")

    def run(self):
        """How many addresses were refused."""
        for host in PRIVATE:
            self.is_refused(host)
        self.is_reserved()
        self.by_itself()
        self.rebinding()
        self.tls()
        self.office.close()
        self.server.stop()
        self.allowed()
        return len(PRIVATE)

    def ping(self, host, port=None):
        """The outcome, and the addresses that were connected to."""
        self.office.update(self.webhook, url=f"http://{host}:{port or self.peer.port}/network")
        return self.outcome()

    def outcome(self):
        self.network.news()
        outcome = self.office.ping(self.webhook)
        return outcome, [line.split()[1] for line in self.network.news() if line.startswith("connect")]

    def keep(self, url):
        """Gives the webhook an address past the service, as if it had been allowed before."""
        with contextlib.closing(sqlite3.connect(self.server.folder / "timeclock.db")) as database, database:
            changed = database.execute("UPDATE webhooks SET url = ?", (url,)).rowcount
        expect_equal(changed, 1, "webhooks")

    def is_refused(self, host):
        """An address that is written out is refused when it is stated, and, had it been allowed then, when it is used."""
        count = len(self.webhook.mailbox.arrivals)
        if host in PRIVATE + NEIGHBORS and not host.endswith(".internal"):
            url = f"http://{host}:{self.peer.port}/network"
            refusal = self.office.update(self.webhook, 422, url=url)
            expect(b'"code":"address_not_allowed"' in refusal, f"{host} is stated", refusal)
            self.keep(url)
            outcome, connected = self.outcome()
        else:
            outcome, connected = self.ping(host)
        expect(outcome["status"] is None and outcome["error"], f"a message to {host}", outcome)
        expect_equal(connected, [], f"connections for {host}")
        expect_equal(len(self.webhook.mailbox.arrivals), count, f"messages through {host}")

    def is_reserved(self):
        """Names that stand for no machine are not even looked up."""
        for host in ("hooks.example", "a.test", "x.invalid.", "www.example.com"):
            self.is_refused(host)
        lookups = [line for line in self.network.path.read_text().splitlines() if line.startswith("lookup")]
        expect(
            not any("example" in line or "test" in line or "invalid" in line for line in lookups), "lookups", lookups
        )

    def by_itself(self):
        """A change is sent to such an address as little as a ping is."""
        self.keep(self.peer.url("/network"))
        self.office.update(self.webhook, resources=["webhook"])
        self.network.news()
        receiver.wait(lambda: any(one["sequence"] for one in self.office.deliveries(self.webhook)), "an attempt")
        expect_equal(self.network.news(), [], "connections of an attempt")
        self.office.update(self.webhook, enabled=False, resources=["invitation"])

    def rebinding(self):
        """The address that is judged is the one that is connected to, and it alone."""
        outcome, connected = self.ping("public.internal")
        expect_equal((outcome["status"], connected), (204, [PUBLIC]), "a message to a public address")
        # Twice: the second time it is looked up again or not, and is loopback or as before.
        for _ in range(2):
            outcome, connected = self.ping("moving.internal")
            expect(outcome["status"] in (204, None) and "127.0.0.1" not in connected, "a name that moves", connected)
        outcome, connected = self.ping("shy.internal")
        expect_equal((outcome["status"], connected), (None, []), "a name that is public when it is asked again")
        for name in ("first.internal", "second.internal", "third.internal"):
            outcome, connected = self.ping(name)
            expect_equal((outcome["status"], connected), (204, [PUBLIC]), f"a public address among others, {name}")
        outcome, connected = self.ping("half.internal")
        expect_equal((outcome["status"], connected), (None, [CLOSED]), "a public address where nobody is, and loopback")

    def tls(self):
        """Certificates have to be trusted, and of the name."""
        for certificate, host, status in (
            (self.good, "public.internal", 204),
            (self.good, "other.internal", None),
            (self.bad, "public.internal", None),
        ):
            with receiver.Receiver(certificate) as peer:
                self.office.update(self.webhook, url=peer.url("/tls", host))
                outcome = self.office.ping(self.webhook)
                expect_equal((outcome["status"], outcome["error"] is None), (status, status == 204), f"TLS of {host}")
                arrivals = peer.mailbox("/tls").arrivals
                expect_equal(len(arrivals), 1 if status else 0, f"messages by TLS to {host}")
                expect(all(judge.is_signed(self.webhook.secret, one) for one in arrivals), "a signature by TLS")

    def allowed(self):
        """Addresses that the operator allows are connected to, and none of their neighbors."""
        self.server.options = ["--webhook-allow", "127.0.0.1", "--webhook-allow", "10.20.0.0/16"]
        self.server.start(shims.START_SECONDS)
        for host, address in (("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("10.20.255.1", "10.20.255.1")):
            outcome, connected = self.ping(host)
            expect_equal((outcome["status"], connected), (204, [address]), f"what is allowed, {host}")
        for host in NEIGHBORS:
            self.is_refused(host)
        self.office.close()
        self.server.stop()

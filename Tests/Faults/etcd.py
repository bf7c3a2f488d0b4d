"""An etcd of several members, with the settings of deploy/cluster/etcd.env."""

import contextlib
import json
import urllib.error
import urllib.request

import machines
from kit import proxies

SETTINGS = proxies.DEPLOY / "cluster/etcd.env"


def settings():
    """The lines of the file, as systemd reads them."""
    lines = [line.partition("=") for line in SETTINGS.read_text().splitlines() if line and not line.startswith("#")]
    return {name: value for name, _, value in lines}


class Member:
    """It has ports and a folder of its own, and does not run before `start`."""

    def __init__(self, folder, name):
        self.folder = folder / f"etcd-{name}"
        self.name = name
        self.port, self.peer_port = machines.free_port(), machines.free_port()
        self.process = None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    @property
    def peer(self):
        return f"http://127.0.0.1:{self.peer_port}"

    def start(self, members):
        """Starts it, the first time or again, as one of the members."""
        environment = {
            **machines.environment(self.folder),
            **settings(),
            "ETCD_NAME": self.name,
            "ETCD_DATA_DIR": str(self.folder / "data"),
            "ETCD_LISTEN_PEER_URLS": self.peer,
            "ETCD_INITIAL_ADVERTISE_PEER_URLS": self.peer,
            "ETCD_LISTEN_CLIENT_URLS": f"http://{self.address}",
            "ETCD_ADVERTISE_CLIENT_URLS": f"http://{self.address}",
            "ETCD_INITIAL_CLUSTER": ",".join(f"{one.name}={one.peer}" for one in members),
        }
        machines.make_folder(self.folder)
        self.process = machines.start([machines.program("etcd", "etcd-server")], self.folder, environment)

    def processes(self):
        return [self.process.pid] if self.process and self.process.poll() is None else []

    def is_healthy(self):
        with contextlib.suppress(OSError, urllib.error.URLError, ValueError):
            with urllib.request.urlopen(f"http://{self.address}/health", timeout=2) as answer:
                return json.load(answer)["health"] == "true"
        return False

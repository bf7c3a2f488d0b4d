"""PostgreSQL clusters whose files lie in a folder of their own."""

import shutil

from kit import postgresql

DATABASE = "benchmark"
# A small server's: part of its memory, and a checkpoint less often than every few seconds of writing.
SETTINGS = ["shared_buffers=1GB", "effective_cache_size=4GB", "max_wal_size=2GB"]
# Rows that one piece fills do not go through the log.
FILLING = ["wal_level=minimal", "max_wal_senders=0"]


class PlacedCluster(postgresql.Cluster):
    """Durable as one in service is; makes the folder's files if there are none.

    Use it in a `with`. The files stay.
    """

    def __init__(self, place, settings=()):
        super().__init__([*SETTINGS, *settings])
        self.place = place

    @property
    def data(self):
        return self.place

    def __enter__(self):
        if self.place.exists():
            self.start()
            return self
        self.place.mkdir(mode=0o700)
        if self.account:
            shutil.chown(self.place, self.account["user"])
        postgresql.initialize(self.place, self.account)
        self.start()
        self.execute("CREATE ROLE timeclock LOGIN")
        return self

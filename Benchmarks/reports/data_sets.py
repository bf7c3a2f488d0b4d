"""The data sets that are measured, in a folder that is kept: they are made once, and taken as they are afterwards.

FOLDER/sqlite.db and FOLDER/sqlite.json, FOLDER/pg (a cluster's data directory) and FOLDER/pg.json.
"""

import json
import pathlib
import shutil
import subprocess

from kit import postgresql

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

GENERATOR = TOP / "Benchmarks" / "data" / "generate.py"
DATABASE = "benchmark"


class KeptCluster(postgresql.Cluster):
    """A cluster in a folder of one's own that stays, durable as one in service is; use it in a `with`."""

    def __init__(self, folder, settings=()):
        super().__init__(settings)
        self.folder.rmdir()
        self.folder = pathlib.Path(folder).resolve()
        self.is_new = not self.folder.exists()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.account:
            shutil.chown(self.folder, self.account["user"])

    @property
    def data(self):
        return self.folder

    def __enter__(self):
        if self.is_new:
            return super().__enter__()
        self.start()
        return self

    def __exit__(self, *_):
        if self.process:
            self.stop()


def make(location, summary, scale):
    """Generates, and writes down what there is once it is whole."""
    made = subprocess.run([GENERATOR, *scale, location], check=True, stdout=subprocess.PIPE)
    summary.write_bytes(made.stdout)


def sqlite(folder, scale):
    """The location of the SQLite data set and what is in it."""
    path, summary = folder / "sqlite.db", folder / "sqlite.json"
    if not summary.exists():
        # What an interrupted run has left.
        path.unlink(missing_ok=True)
        make(f"sqlite:{path}", summary, scale)
    return f"sqlite:{path}", json.loads(summary.read_text())


def in_cluster(folder, scale):
    """The cluster of the PostgreSQL data set, to be used in a `with`, and what makes the data set or reads of it."""
    # A tenth of a small server's memory; the rest is the system's cache.
    cluster = KeptCluster(folder / "pg", ["shared_buffers=1GB", "max_wal_size=8GB", "effective_cache_size=8GB"])
    summary = folder / "pg.json"

    def described():
        if not summary.exists():
            cluster.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
            make(cluster.make_database(DATABASE), summary, scale)
        return cluster.location(DATABASE), json.loads(summary.read_text())

    return cluster, described

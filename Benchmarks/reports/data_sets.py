"""The data sets that are measured, in a folder that is kept: they are made once, and taken as they are afterwards.

FOLDER/sqlite.db and FOLDER/sqlite.json, FOLDER/pg (a cluster's data directory) and FOLDER/pg.json.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import shutil
import subprocess

from kit import postgresql

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

GENERATOR = TOP / "Benchmarks" / "data" / "generate.py"
DATABASE = "benchmark"
SCALE = ("organizations", "members", "days")
# A tenth of a small server's memory; the rest is the system's cache.
SETTINGS = ["shared_buffers=1GB", "max_wal_size=8GB", "effective_cache_size=8GB"]
# While the data are made, when a crash only means to start again.
QUICK = ["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "autovacuum=off"]
# `files` are those with rows; `cluster` is None on SQLite.
DataSet = collections.namedtuple("DataSet", "location content files cluster")


def parser():
    """Takes the scale of the data sets that are missing; each script adds its own options."""
    options = argparse.ArgumentParser()
    for name in SCALE:
        options.add_argument(f"--{name}")
    return options


def scale(options):
    """The scale as the generator takes it."""
    given = [(f"--{name}", getattr(options, name)) for name in SCALE]
    return [word for option in given if option[1] for word in option]


class KeptCluster(postgresql.Cluster):
    """A cluster in its own folder, which stays, durable as one in service is; use it in a `with`."""

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

    @contextlib.contextmanager
    def quick(self):
        """Not durable meanwhile; written data is on the disk at the end."""
        durable = self.settings
        self._start_again(durable + QUICK)
        yield
        self._start_again(durable)

    def _start_again(self, settings):
        self.stop()
        os.sync()
        self.settings = settings
        self.start()


def made(location, scale):
    """Generates; returns the summary, to be written down once it is whole."""
    return subprocess.run([GENERATOR, *scale, location], check=True, stdout=subprocess.PIPE).stdout


def sqlite(folder, scale):
    """The location of the SQLite data set and its content."""
    path, summary = folder / "sqlite.db", folder / "sqlite.json"
    if not summary.exists():
        # Left by an interrupted run.
        path.unlink(missing_ok=True)
        summary.write_bytes(made(f"sqlite:{path}", scale))
    return f"sqlite:{path}", json.loads(summary.read_text())


def in_cluster(folder, scale):
    """The cluster of the PostgreSQL data set, to be used in a `with`, and the functions that make and read the data
    set."""
    cluster = KeptCluster(folder / "pg", SETTINGS)
    summary = folder / "pg.json"

    def described():
        if not summary.exists():
            with cluster.quick():
                cluster.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
                description = made(cluster.make_database(DATABASE), scale)
            summary.write_bytes(description)
        return cluster.location(DATABASE), json.loads(summary.read_text())

    return cluster, described


@contextlib.contextmanager
def with_segments(options):
    """The data set of `--folder`, `--postgresql` and the scale, in which each entry has two segments."""
    options.folder.mkdir(parents=True, exist_ok=True)
    words = ["--segments", *scale(options)]
    if options.postgresql:
        cluster, described = in_cluster(options.folder, words)
        with cluster:
            location, content = described()
            yield DataSet(location, content, list(cluster.data.glob("base/*/[0-9]*")), cluster)
    else:
        location, content = sqlite(options.folder, words)
        yield DataSet(location, content, [location.removeprefix("sqlite:")], None)

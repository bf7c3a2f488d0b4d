"""A primary and its standby, which change places."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

from kit import postgresql


class Follower(postgresql.Cluster):
    """A cluster that has no data of its own, and does not run before it follows another one."""

    def __enter__(self):
        return self


def follow(cluster, primary):
    """Makes a cluster, which does not run, a copy of the primary that follows it, and starts it."""
    shutil.rmtree(cluster.data, ignore_errors=True)
    made = subprocess.run(
        [
            f"{cluster.programs}/pg_basebackup",
            "-D",
            cluster.data,
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
            "-d",
            postgresql.as_administrator(primary.location("postgres")),
        ],
        cwd="/",
        capture_output=True,
        text=True,
        **cluster.account,
    )
    if made.returncode != 0:
        raise SystemExit(f"pg_basebackup failed: {made.stderr}")
    # After its promotion there is no standby yet to wait for.
    with open(cluster.data / "postgresql.auto.conf", "a") as file:
        file.write("synchronous_standby_names = ''\n")
    cluster.start()


def wait_for_standby(primary, names="*", state="sync", patience=30):
    """From now on a commit waits for the standbys of those names; returns when one is in that state."""
    primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
    primary.execute("SELECT pg_reload_conf()")
    deadline = time.monotonic() + patience
    while primary.execute("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") != [state]:
        if time.monotonic() > deadline:
            raise SystemExit(f"no standby is {state}: {primary.execute('SELECT * FROM pg_stat_replication')}")
        time.sleep(0.05)


def promote(standby):
    """Returns when it takes writes."""
    standby.execute("SELECT pg_promote(wait := true, wait_seconds := 30)")


def senders(primary):
    """The processes that send the log to standbys."""
    return [int(line) for line in primary.execute("SELECT pid FROM pg_stat_replication")]


def processes(cluster):
    """The postmaster and its children."""
    postmaster = cluster.process.pid
    children = pathlib.Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return [postmaster, *map(int, children)]


def kill(cluster, processes):
    """Ends the postmaster and those processes of it, also if they are stopped."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    cluster.kill()

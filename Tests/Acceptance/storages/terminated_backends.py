#!/usr/bin/env python3
"""The service's connections to PostgreSQL are ended at random under load, then stopped for a while.

Every request succeeds or is answered 503 within ten seconds, and nothing that was acknowledged is missing or
there twice. `terminated_backends.py ROUNDS` does so as often, from the second round on with stops of any length.
"""

import random
import signal
import sys
import tempfile
import time

from kit import load, postgresql, service
from kit.stopped import Stopped

TERMINATE_SECONDS = 3
# Those that read, then those that write, then all.
STOPS_SECONDS = (3.5, 5.5, 5.5)
LONGEST_STOP_SECONDS = 9
INTERVAL_SECONDS = 0.05
ANSWER_LIMIT = 10
TERMINATE = """
SELECT count(pg_terminate_backend(pid)) FROM (
  SELECT pid FROM pg_stat_activity WHERE application_name = 'timeclock' ORDER BY random() LIMIT 1) AS one;
"""


def terminate(cluster):
    """Ends one connection after the other; how many."""
    with cluster.session() as session:
        deadline = time.monotonic() + TERMINATE_SECONDS
        count = 0
        while time.monotonic() < deadline:
            session.stdin.write(TERMINATE)
            session.stdin.flush()
            count += int(session.stdout.readline())
            time.sleep(INTERVAL_SECONDS)
    return count


def stop(cluster, lengths):
    # A request waits for a connection that reads, and then for one that writes.
    reading = Stopped(cluster.clients("clock", "query LIKE 'SELECT%'"))
    writing = Stopped(cluster.clients("clock", "query NOT LIKE 'SELECT%'"))
    with reading:
        time.sleep(lengths[0])
        writing.signal(signal.SIGSTOP)
    with writing:
        time.sleep(lengths[1])
    time.sleep(0.5)
    # And the process that would make new ones.
    with Stopped([*cluster.clients("clock"), cluster.process.pid]):
        time.sleep(lengths[2])
    time.sleep(1)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        clock = service.Service(service.built_binary(), folder, database=cluster.make_database("clock"))
        organization = clock.create_organization()
        clock.start()
        lengths = STOPS_SECONDS
        count = 0
        with load.Load([clock], organization) as members:
            for _ in range(rounds):
                time.sleep(0.3)
                count += terminate(cluster)
                stop(cluster, lengths)
                lengths = [random.uniform(0.2, LONGEST_STOP_SECONDS) for _ in lengths]
        members.check(slowest=ANSWER_LIMIT)
        assert count >= rounds * TERMINATE_SECONDS, f"only {count} connections were ended"
        assert members.acknowledged() > 100 * rounds, f"only {members.answers()}"
        clock.stop()
    print(
        f"terminated backends: {members.acknowledged()} acknowledged entries, all there; {count} connections ended, "
        f"others stopped; answers {members.answers()}, the slowest after {members.slowest():.1f} s"
    )


main()

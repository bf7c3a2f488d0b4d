#!/usr/bin/env python3
"""PostgreSQL and the servers on it are killed, ended and stopped under load.

    postgresql_chaos.py [short|long] [--count ROUNDS] [--seed S] [--self-check]

Two servers share a database. Each round has another fault: the postmaster or a backend is killed, PostgreSQL is shut
down at once, backends are terminated, backends, the postmaster or a server are stopped for seconds, a server is
killed. After it the ledger is compared with the database: 0 lost, 0 doubled, 0 overlaps; no request takes longer than
ten seconds, and the service is back within five after its database. With `--self-check` a killed PostgreSQL has lost
the end of its log, as on a disk that only said it had written, and that has to be found.
"""

import os
import random
import re
import signal
import subprocess
import time

import harness
import office
from kit import postgresql, stopped

DATABASE = "clock"
SHORT_ROUNDS, LONG_ROUNDS = 4, 30
SHORT_STOP = 1
# The number of commits that the control removes. The last ones may be of unanswered requests.
LOST_COMMITS = 20


def kill_postmaster(place, chance):
    place.cluster.kill()
    time.sleep(chance.uniform(0, 1.5))
    place.cluster.start()


def shut_down_immediately(place, chance):
    place.cluster.process.send_signal(signal.SIGQUIT)
    place.cluster.process.wait()
    time.sleep(chance.uniform(0, 1.5))
    place.cluster.start()


def kill_backend(place, chance):
    """The postmaster ends all others at that, and recovers."""
    os.kill(chance.choice(place.cluster.clients(DATABASE)), signal.SIGKILL)
    time.sleep(0.1)
    deadline = time.monotonic() + 30
    while not place.cluster.is_accepting():
        if time.monotonic() > deadline:
            raise SystemExit("PostgreSQL does not recover")
        time.sleep(0.02)


def terminate_backends(place, chance):
    for _ in range(chance.randint(5, 20)):
        place.cluster.execute(
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity "
            "WHERE application_name = 'timeclock' ORDER BY random() LIMIT 3) AS backends"
        )


def stop_backends(place, chance):
    backends = place.cluster.clients(DATABASE)
    with stopped.Stopped(chance.sample(backends, chance.randint(1, len(backends)))):
        time.sleep(chance.uniform(0.5, place.longest_stop))


def stop_postmaster(place, chance):
    """Connections that are lost meanwhile are not made again: they are accepted and hear nothing."""
    backends = place.cluster.clients(DATABASE)
    with stopped.Stopped([place.cluster.process.pid]):
        for backend in chance.sample(backends, len(backends) // 2):
            os.kill(backend, signal.SIGTERM)
        time.sleep(chance.uniform(0.5, place.longest_stop))


def stop_instance(place, chance):
    """It may have locks meanwhile, and finds everything changed when it goes on."""
    with stopped.Stopped([chance.choice(place.instances).process.pid]):
        time.sleep(chance.uniform(0.5, place.longest_stop))


def kill_instance(place, chance):
    instance = chance.choice(place.instances)
    instance.kill()
    time.sleep(chance.uniform(0, 0.5))
    instance.start()


FAULTS = [
    office.Fault(play.__name__.replace("_", " "), play)
    for play in (
        kill_postmaster,
        stop_backends,
        terminate_backends,
        kill_instance,
        shut_down_immediately,
        stop_instance,
        kill_backend,
        stop_postmaster,
    )
]


def lose_the_end_of_the_log(place, _):
    """Kills PostgreSQL, and takes the last commits of its log away before it starts again."""
    place.cluster.kill()
    position = commits_since_checkpoint(place.cluster)[-LOST_COMMITS]
    segment_size = 16 * 1024 * 1024
    name = f"{1:08X}{position >> 32:08X}{(position & 0xFFFFFFFF) // segment_size:08X}"
    with open(place.cluster.data / "pg_wal" / name, "r+b") as segment:
        begin = position % segment_size
        segment.seek(begin)
        segment.write(bytes(segment_size - begin))
    place.cluster.start()


def commits_since_checkpoint(cluster):
    """The places of the commits in the log of a stopped cluster, in order."""
    controls = _output(f"{cluster.programs}/pg_controldata", "-D", cluster.data)
    start = re.search(r"REDO location:\s+(\S+)", controls)[1]
    # It ends with an error, which is where the log ends.
    records = subprocess.run(
        [f"{cluster.programs}/pg_waldump", "-p", cluster.data / "pg_wal", "--start", start, "--rmgr", "Transaction"],
        capture_output=True,
        text=True,
    ).stdout
    return [
        (int(high, 16) << 32) + int(low, 16) for high, low in re.findall(r"lsn: (\w+)/(\w+), .* desc: COMMIT", records)
    ]


def _output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run(rounds, seed, faults, longest_stop):
    """The office after `rounds` rounds, the first faults in their order and the further ones at random."""
    chance = random.Random(seed)
    with postgresql.Cluster() as cluster:
        with office.OfficeOfTwoServers(seed, cluster.make_database(DATABASE), DATABASE, cluster, longest_stop) as place:
            place.play(rounds, chance, faults)
            return place


def main():
    chosen = harness.options(__doc__, SHORT_ROUNDS, LONG_ROUNDS)
    faults, longest_stop = FAULTS, office.LONGEST_STOP if chosen.form == "long" else SHORT_STOP
    if chosen.self_check:
        chosen.count, faults = 1, [office.Fault("a log without its end", lose_the_end_of_the_log)]
    place = run(chosen.count, chosen.seed, faults, longest_stop)
    harness.conclude(place.faults, f"PostgreSQL chaos, seed {chosen.seed}: {place.summary()}", chosen.self_check)


if __name__ == "__main__":
    main()

"""Servers on either storage with an operator, who makes organizations through them."""

import contextlib
import functools
import pathlib
import secrets

from kit import postgresql, service

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
# The servers of one storage that are there for a race.
INSTANCES = {"sqlite": 1, "postgresql": 3}


def add_option(parser):
    """`--database`, for `each`."""
    parser.add_argument("--database", choices=[*NAMES, "both"], default="both")


def each(folder, database):
    """On one storage after the other, or the one that is named: that name, a server, and its operator's token."""
    for kind in NAMES:
        if database in (kind, "both"):
            with on(kind, folder) as (clock, operator):
                yield kind, clock, operator


@contextlib.contextmanager
def on(kind, folder):
    """A server on a storage of this kind and its operator's token; its database is verified at the end."""
    operator = secrets.token_hex(32)
    place = pathlib.Path(folder, kind)
    place.mkdir()
    (place / "operator").write_text(operator)
    with contextlib.ExitStack() as stack:
        location = None
        if kind == "postgresql":
            location = stack.enter_context(postgresql.Cluster(["fsync=off"])).make_database("clock")
        options = ["--operator-token-file", str(place / "operator")]
        clock = service.Service(service.built_binary(), place, location, options)
        clock.start()
        yield clock, operator
        clock.verify()
        clock.stop()


@contextlib.contextmanager
def together(kind, folder):
    """The servers of a storage, and a function that runs SQL in their database; None on SQLite."""
    with contextlib.ExitStack() as stack:
        location = execute = None
        if kind == "postgresql":
            cluster = stack.enter_context(postgresql.Cluster(["fsync=off"]))
            location = cluster.make_database("clock")
            execute = functools.partial(cluster.execute, database="clock")
        instances = []
        for number in range(INSTANCES[kind]):
            place = pathlib.Path(folder, f"{kind}-{number}")
            place.mkdir()
            instances.append(service.Service(service.built_binary(), place, location))
        for one in instances:
            one.start()
        yield instances, execute
        for one in instances:
            one.stop()

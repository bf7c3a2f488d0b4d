"""Where the fault runs find what the acceptance tests have already: the service, a PostgreSQL, the binary.

Import this first; `service`, `postgresql` and `stopped` are Tests/Acceptance's modules.
"""

import functools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Acceptance"))

import postgresql  # noqa: E402, F401
import service  # noqa: E402, F401
import stopped  # noqa: E402, F401


@functools.cache
def binary():
    """The program under test: what TIMECLOCK_BINARY names, or the static release build."""
    return service.built_binary()

"""How a check ends if something is not as it has to be."""

import pathlib
import sys


def expect(condition, what, found=None):
    """Continues if the condition holds; else the check ends, with the failed condition and the value found instead."""
    if not condition:
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {what}" + ("" if found is None else f": {found}"))


def expect_equal(found, wanted, what):
    expect(found == wanted, what, f"{found}, not {wanted}")

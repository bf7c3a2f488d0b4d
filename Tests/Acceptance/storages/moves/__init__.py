"""Organizations that move from one cell to another under load, for organization_move.py."""

import sys

from kit import service

# The ledger, the callers who write it, and its comparison with a database.
sys.path.append(str(service.TOP / "Tests/Faults"))

"""The parts of scripts/join-contract."""

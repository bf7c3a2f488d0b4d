"""What scripts/join-contract is made of."""

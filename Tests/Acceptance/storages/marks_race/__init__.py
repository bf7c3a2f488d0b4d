"""Rounds of writes that race with marks on members' time, and the rules by which what is left is judged."""

-- How often passwords were tried lately, so that guessing is slow also after a restart.
-- docs/decisions/0017-log-in-protection.md has the reasons.

CREATE TABLE log_in_attempts (
  -- SHA-256 of the e-mail address that was stated, in lower case, whether it has an account or not; empty in the row that
  -- counts for all of them.
  account BLOB NOT NULL CONSTRAINT log_in_attempts_account_length CHECK (length(account) IN (0, 32)),
  -- Where the attempts came from: an IPv4 address, or the first half of an IPv6 address; empty in the row that counts for
  -- all of them.
  network TEXT NOT NULL,
  -- When nothing is left of what was counted: each attempt puts this off.
  clear_at INTEGER NOT NULL,
  -- Until when the network is known as one of the account's; zero where it never was.
  known_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, network)
) STRICT, WITHOUT ROWID;

-- What says nothing any more is removed.
CREATE INDEX log_in_attempts_by_expiry ON log_in_attempts (max(clear_at, known_until));

-- How often passwords were tried lately, so that guessing is slow on every instance together.
-- docs/decisions/0017-log-in-protection.md has the reasons.

CREATE TABLE log_in_attempts (
  -- SHA-256 of the e-mail address that was stated, in lower case, whether it has an account or not; empty in the row that
  -- counts for all of them.
  account BYTEA NOT NULL CONSTRAINT log_in_attempts_account_length CHECK (length(account) IN (0, 32)),
  -- Where the attempts came from: an IPv4 address, or the first half of an IPv6 address; empty in the row that counts for
  -- all of them.
  network TEXT COLLATE "C" NOT NULL,
  -- When nothing is left of what was counted: each attempt puts this off.
  clear_at BIGINT NOT NULL,
  -- Until when the network is known as one of the account's; zero where it never was.
  known_until BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT log_in_attempts_pkey PRIMARY KEY (account, network)
);

-- What says nothing any more is removed.
CREATE INDEX log_in_attempts_by_expiry ON log_in_attempts (greatest(clear_at, known_until));

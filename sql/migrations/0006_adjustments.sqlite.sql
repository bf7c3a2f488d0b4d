-- Seconds that are added to the balances of members, or taken from them.
CREATE TABLE adjustments (
  adjustment_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT adjustments_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- Days since 1970.
  date INTEGER NOT NULL,
  seconds INTEGER NOT NULL
    CONSTRAINT adjustments_seconds CHECK (seconds <> 0 AND seconds BETWEEN -36000000 AND 36000000),
  kind TEXT NOT NULL CONSTRAINT adjustments_kind CHECK (kind IN ('opening', 'payout', 'cap', 'correction')),
  -- Null once the member is anonymized.
  reason TEXT,
  version INTEGER NOT NULL CONSTRAINT adjustments_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT adjustments_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX adjustments_by_id ON adjustments (organization_id, id);
CREATE UNIQUE INDEX adjustments_by_number ON adjustments (organization_id, adjustment_id);
CREATE INDEX adjustments_of_member ON adjustments (organization_id, user_id, date);

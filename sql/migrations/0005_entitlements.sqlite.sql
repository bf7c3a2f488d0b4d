-- The days off that members are entitled to in a year.
CREATE TABLE entitlements (
  entitlement_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT entitlements_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  kind TEXT NOT NULL CONSTRAINT entitlements_kind CHECK (kind IN ('vacation')),
  year INTEGER NOT NULL,
  -- Ten-thousandths of a day.
  days INTEGER NOT NULL CONSTRAINT entitlements_days CHECK (days BETWEEN 0 AND 3660000),
  carried_days INTEGER NOT NULL CONSTRAINT entitlements_carried CHECK (carried_days BETWEEN -3660000 AND 3660000),
  -- Days since 1970; null if carried days do not expire.
  carried_expires INTEGER,
  version INTEGER NOT NULL CONSTRAINT entitlements_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT entitlements_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX entitlements_by_id ON entitlements (organization_id, id);
CREATE UNIQUE INDEX entitlements_by_number ON entitlements (organization_id, entitlement_id);
CREATE UNIQUE INDEX entitlements_of_member ON entitlements (organization_id, user_id, kind, year);

-- The kinds of breaks that organizations know.

CREATE TABLE break_types (
  break_type_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT break_types_id_length CHECK (length(id) = 16),
  name TEXT NOT NULL,
  is_paid INTEGER NOT NULL CONSTRAINT break_types_is_paid CHECK (is_paid IN (0, 1)),
  expected_seconds INTEGER CONSTRAINT break_types_expected_seconds CHECK (expected_seconds BETWEEN 1 AND 86400),
  archived INTEGER NOT NULL CONSTRAINT break_types_archived CHECK (archived IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT break_types_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX break_types_by_id ON break_types (organization_id, id);
CREATE UNIQUE INDEX break_types_by_number ON break_types (organization_id, break_type_id);

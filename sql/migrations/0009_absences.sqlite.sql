-- Dates on which members are absent, and the rules of organizations about them.
CREATE TABLE absences (
  absence_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT absences_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- Absent once the member is anonymized.
  kind TEXT NOT NULL CONSTRAINT absences_kind CHECK (kind IN
    ('sick', 'training', 'special', 'other', 'vacation', 'unpaid', 'parental', 'flextime', 'absent')),
  -- A kind with the same effect on sums.
  effect TEXT NOT NULL CONSTRAINT absences_effect CHECK (effect IN ('other', 'vacation', 'unpaid', 'flextime')),
  -- Days since 1970, both inclusive.
  start_date INTEGER NOT NULL,
  end_date INTEGER NOT NULL,
  portion TEXT NOT NULL CONSTRAINT absences_portion CHECK (portion IN ('day', 'half', 'seconds')),
  -- Null of other portions.
  seconds INTEGER CONSTRAINT absences_seconds CHECK (seconds BETWEEN 1 AND 86400),
  state TEXT NOT NULL CONSTRAINT absences_state CHECK (state IN ('requested', 'approved', 'refused', 'canceled')),
  note TEXT,
  version INTEGER NOT NULL CONSTRAINT absences_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT absences_dates CHECK (start_date <= end_date),
  CONSTRAINT absences_seconds_of_portion CHECK ((portion = 'seconds') = (seconds IS NOT NULL)),
  CONSTRAINT absences_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX absences_by_id ON absences (organization_id, id);
CREATE UNIQUE INDEX absences_by_number ON absences (organization_id, absence_id);
CREATE INDEX absences_of_member ON absences (organization_id, user_id, start_date);

-- The kinds of absences that a manager has to approve, with spaces between them; null for all but sick.
ALTER TABLE organizations ADD COLUMN absence_approval TEXT;
-- Whether managers approve absences of their own.
ALTER TABLE organizations ADD COLUMN self_approval INTEGER NOT NULL DEFAULT 0
  CONSTRAINT organizations_self_approval CHECK (self_approval IN (0, 1));
-- Whether managers see the kinds of all absences.
ALTER TABLE organizations ADD COLUMN absence_kinds_visible INTEGER NOT NULL DEFAULT 0
  CONSTRAINT organizations_absence_kinds_visible CHECK (absence_kinds_visible IN (0, 1));
-- Whether absences may use more days than members are entitled to.
ALTER TABLE organizations ADD COLUMN allow_negative_entitlement INTEGER NOT NULL DEFAULT 1
  CONSTRAINT organizations_allow_negative_entitlement CHECK (allow_negative_entitlement IN (0, 1));

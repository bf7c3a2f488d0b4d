-- Changes of members' time that somebody proposes and somebody else decides about, the only way into locked time.
CREATE TABLE corrections (
  correction_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT corrections_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- The public id of the entry, which may be gone; null of an entry to add.
  time_entry_id BLOB CONSTRAINT corrections_time_entry_id_length CHECK (length(time_entry_id) = 16),
  -- Milliseconds since 1970; null for a time that stays.
  clock_in_time INTEGER,
  clock_out_time INTEGER,
  is_deletion INTEGER NOT NULL CONSTRAINT corrections_is_deletion CHECK (is_deletion IN (0, 1)),
  -- Null once the member is anonymized, or of a change that stated none.
  reason TEXT,
  -- The public ids of people.
  requested_by BLOB CONSTRAINT corrections_requested_by_length CHECK (length(requested_by) = 16),
  state TEXT NOT NULL CONSTRAINT corrections_state CHECK (state IN
    ('open', 'agreed', 'refused', 'withdrawn', 'applied', 'objected')),
  answer TEXT,
  decided_by BLOB CONSTRAINT corrections_decided_by_length CHECK (length(decided_by) = 16),
  decided_at INTEGER,
  version INTEGER NOT NULL CONSTRAINT corrections_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT corrections_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX corrections_by_id ON corrections (organization_id, id);
CREATE UNIQUE INDEX corrections_by_number ON corrections (organization_id, correction_id);
CREATE INDEX corrections_of_member ON corrections (organization_id, user_id, correction_id);
-- Few of all are open, and few are objected to.
CREATE INDEX corrections_open ON corrections (organization_id, user_id, correction_id) WHERE state = 'open';
CREATE INDEX corrections_objected ON corrections (organization_id, user_id, correction_id) WHERE state = 'objected';

-- What a change of another's times asks for.
ALTER TABLE organizations ADD COLUMN corrections_need TEXT NOT NULL DEFAULT 'nothing'
  CONSTRAINT organizations_corrections_need CHECK (corrections_need IN ('nothing', 'notice', 'consent'));

-- The members into whose locked time an open transaction writes a correction. No member has the row 0, so no transaction
-- ends that leaves a row here: the table is always empty, and nothing opens locked time for longer than one transaction.
CREATE TABLE correcting (
  organization_id INTEGER NOT NULL REFERENCES organizations,
  user_id INTEGER NOT NULL,
  ending INTEGER NOT NULL CONSTRAINT correcting_ending CHECK (ending = 0),
  PRIMARY KEY (organization_id, user_id),
  CONSTRAINT correcting_ends FOREIGN KEY (organization_id, ending) REFERENCES members (organization_id, user_id)
    DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- The last word on locked time again, but for the members there.
DROP TRIGGER time_entries_unlocked_on_insert;
CREATE TRIGGER time_entries_unlocked_on_insert BEFORE INSERT ON time_entries
WHEN NEW.clock_in < NEW.created_at - 300000 AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = NEW.organization_id AND p.user_id = NEW.user_id AND p.locked_until > NEW.clock_in)
  AND NOT EXISTS (SELECT 1 FROM correcting c
    WHERE c.organization_id = NEW.organization_id AND c.user_id = NEW.user_id)
BEGIN
  SELECT raise(ABORT, 'time_entries_unlocked');
END;

-- Of a shift over the end of what is locked the end may change behind it.
DROP TRIGGER time_entries_unlocked_on_update;
CREATE TRIGGER time_entries_unlocked_on_update
BEFORE UPDATE OF organization_id, user_id, clock_in, clock_out ON time_entries
WHEN (OLD.clock_out IS NOT NULL OR NEW.clock_in < OLD.clock_in) AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id
    AND p.locked_until > min(OLD.clock_in, NEW.clock_in)
    AND NOT (NEW.clock_in = OLD.clock_in AND OLD.clock_out >= p.locked_until
      AND coalesce(NEW.clock_out, p.locked_until - 1) >= p.locked_until))
  AND NOT EXISTS (SELECT 1 FROM correcting c
    WHERE c.organization_id = OLD.organization_id AND c.user_id = OLD.user_id)
BEGIN
  SELECT raise(ABORT, 'time_entries_unlocked');
END;

DROP TRIGGER time_entries_unlocked_on_delete;
CREATE TRIGGER time_entries_unlocked_on_delete BEFORE DELETE ON time_entries
WHEN OLD.clock_out IS NOT NULL AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id AND p.locked_until > OLD.clock_in)
  AND NOT EXISTS (SELECT 1 FROM correcting c
    WHERE c.organization_id = OLD.organization_id AND c.user_id = OLD.user_id)
BEGIN
  SELECT raise(ABORT, 'time_entries_unlocked');
END;

DROP TRIGGER segments_unlocked_on_insert;
CREATE TRIGGER segments_unlocked_on_insert BEFORE INSERT ON segments
WHEN NEW.start_time < NEW.created_at - 300000 AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = NEW.organization_id AND p.user_id = NEW.user_id AND p.locked_until > NEW.start_time)
  AND NOT EXISTS (SELECT 1 FROM correcting c
    WHERE c.organization_id = NEW.organization_id AND c.user_id = NEW.user_id)
BEGIN
  SELECT raise(ABORT, 'segments_unlocked');
END;

DROP TRIGGER segments_unlocked_on_update;
CREATE TRIGGER segments_unlocked_on_update
BEFORE UPDATE OF organization_id, user_id, start_time, end_time, is_paid, billable ON segments
WHEN (OLD.end_time IS NOT NULL OR NEW.start_time < OLD.start_time) AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id
    AND p.locked_until > min(OLD.start_time, NEW.start_time)
    AND NOT (NEW.start_time = OLD.start_time AND OLD.end_time >= p.locked_until
      AND coalesce(NEW.end_time, p.locked_until - 1) >= p.locked_until))
  AND NOT EXISTS (SELECT 1 FROM correcting c
    WHERE c.organization_id = OLD.organization_id AND c.user_id = OLD.user_id)
BEGIN
  SELECT raise(ABORT, 'segments_unlocked');
END;

DROP TRIGGER segments_unlocked_on_delete;
CREATE TRIGGER segments_unlocked_on_delete BEFORE DELETE ON segments
WHEN OLD.end_time IS NOT NULL AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id AND p.locked_until > OLD.start_time)
  AND NOT EXISTS (SELECT 1 FROM correcting c
    WHERE c.organization_id = OLD.organization_id AND c.user_id = OLD.user_id)
BEGIN
  SELECT raise(ABORT, 'segments_unlocked');
END;

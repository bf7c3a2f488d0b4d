-- The marks on the time of members, what was approved, and the last word on time that is locked.
CREATE TABLE periods (
  period_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT periods_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- The last date, in days since 1970, and the instant at which it is over.
  submitted_through INTEGER,
  submitted_until INTEGER,
  approved_through INTEGER,
  approved_until INTEGER,
  locked_through INTEGER,
  locked_until INTEGER,
  version INTEGER NOT NULL CONSTRAINT periods_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT periods_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT periods_pairs CHECK ((submitted_through IS NULL) = (submitted_until IS NULL)
    AND (approved_through IS NULL) = (approved_until IS NULL) AND (locked_through IS NULL) = (locked_until IS NULL)),
  CONSTRAINT periods_order CHECK (
    (approved_through IS NULL OR (approved_through <= submitted_through AND approved_until <= submitted_until) IS TRUE)
    AND (locked_through IS NULL OR (locked_through <= approved_through AND locked_until <= approved_until) IS TRUE))
) STRICT;

CREATE UNIQUE INDEX periods_by_id ON periods (organization_id, id);
CREATE UNIQUE INDEX periods_by_number ON periods (organization_id, period_id);
CREATE UNIQUE INDEX periods_of_member ON periods (organization_id, user_id);

CREATE TABLE approvals (
  approval_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT approvals_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- Days since 1970.
  from_date INTEGER NOT NULL,
  through INTEGER NOT NULL,
  approved_by BLOB CONSTRAINT approvals_approved_by_length CHECK (length(approved_by) = 16),
  planned_seconds INTEGER NOT NULL,
  holiday_seconds INTEGER NOT NULL,
  absence_seconds INTEGER NOT NULL,
  credited_seconds INTEGER NOT NULL,
  target_seconds INTEGER NOT NULL,
  paid_seconds INTEGER NOT NULL,
  adjustment_seconds INTEGER NOT NULL,
  balance_seconds INTEGER NOT NULL,
  version INTEGER NOT NULL CONSTRAINT approvals_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT approvals_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT approvals_dates CHECK (from_date <= through)
) STRICT;

CREATE UNIQUE INDEX approvals_by_id ON approvals (organization_id, id);
CREATE UNIQUE INDEX approvals_by_number ON approvals (organization_id, approval_id);
CREATE INDEX approvals_of_member ON approvals (organization_id, user_id, approval_id);

-- The last word on locked time. Clocking in and out as it happens meets none of the first conditions, and asks nothing.
CREATE TRIGGER time_entries_unlocked_on_insert BEFORE INSERT ON time_entries
WHEN NEW.clock_in < NEW.created_at - 300000 AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = NEW.organization_id AND p.user_id = NEW.user_id AND p.locked_until > NEW.clock_in)
BEGIN
  SELECT raise(ABORT, 'time_entries_unlocked');
END;

-- Of a shift over the end of what is locked the end may change behind it.
CREATE TRIGGER time_entries_unlocked_on_update
BEFORE UPDATE OF organization_id, user_id, clock_in, clock_out ON time_entries
WHEN (OLD.clock_out IS NOT NULL OR NEW.clock_in < OLD.clock_in) AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id
    AND p.locked_until > min(OLD.clock_in, NEW.clock_in)
    AND NOT (NEW.clock_in = OLD.clock_in AND OLD.clock_out >= p.locked_until
      AND coalesce(NEW.clock_out, p.locked_until - 1) >= p.locked_until))
BEGIN
  SELECT raise(ABORT, 'time_entries_unlocked');
END;

CREATE TRIGGER time_entries_unlocked_on_delete BEFORE DELETE ON time_entries
WHEN OLD.clock_out IS NOT NULL AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id AND p.locked_until > OLD.clock_in)
BEGIN
  SELECT raise(ABORT, 'time_entries_unlocked');
END;

CREATE TRIGGER segments_unlocked_on_insert BEFORE INSERT ON segments
WHEN NEW.start_time < NEW.created_at - 300000 AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = NEW.organization_id AND p.user_id = NEW.user_id AND p.locked_until > NEW.start_time)
BEGIN
  SELECT raise(ABORT, 'segments_unlocked');
END;

CREATE TRIGGER segments_unlocked_on_update
BEFORE UPDATE OF organization_id, user_id, start_time, end_time, is_paid, billable ON segments
WHEN (OLD.end_time IS NOT NULL OR NEW.start_time < OLD.start_time) AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id
    AND p.locked_until > min(OLD.start_time, NEW.start_time)
    AND NOT (NEW.start_time = OLD.start_time AND OLD.end_time >= p.locked_until
      AND coalesce(NEW.end_time, p.locked_until - 1) >= p.locked_until))
BEGIN
  SELECT raise(ABORT, 'segments_unlocked');
END;

CREATE TRIGGER segments_unlocked_on_delete BEFORE DELETE ON segments
WHEN OLD.end_time IS NOT NULL AND EXISTS (
  SELECT 1 FROM periods p
  WHERE p.organization_id = OLD.organization_id AND p.user_id = OLD.user_id AND p.locked_until > OLD.start_time)
BEGIN
  SELECT raise(ABORT, 'segments_unlocked');
END;

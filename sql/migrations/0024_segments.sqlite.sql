-- What time was for: spans of work on a project or a task, and breaks. They never carry pay by themselves: time entries do.

CREATE TABLE segments (
  -- Out of row_numbers, and never given twice.
  segment_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  user_id INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT segments_id_length CHECK (length(id) = 16),
  start_time INTEGER NOT NULL,
  -- Null while the segment is open.
  end_time INTEGER,
  -- The entry that it lies in; null for work that is kept without one.
  time_entry_id BLOB,
  project_id INTEGER,
  task_id INTEGER,
  break_type_id INTEGER,
  -- The segment_id of the work that a break goes back to, which may be gone by then.
  resumes INTEGER,
  is_paid INTEGER NOT NULL CONSTRAINT segments_is_paid CHECK (is_paid IN (0, 1)),
  billable INTEGER NOT NULL CONSTRAINT segments_billable CHECK (billable IN (0, 1)),
  name TEXT NOT NULL CONSTRAINT segments_name_length CHECK (length(name) BETWEEN 1 AND 200),
  -- Each behind a new line, and one at the end; null for none.
  tags TEXT,
  time_zone TEXT NOT NULL,
  source TEXT NOT NULL,
  version INTEGER NOT NULL CONSTRAINT segments_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT segments_member FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT segments_entry FOREIGN KEY (organization_id, time_entry_id) REFERENCES time_entries (organization_id, id),
  CONSTRAINT segments_project FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, project_id),
  CONSTRAINT segments_task FOREIGN KEY (organization_id, task_id) REFERENCES tasks (organization_id, task_id),
  CONSTRAINT segments_break_type FOREIGN KEY (organization_id, break_type_id)
    REFERENCES break_types (organization_id, break_type_id),
  -- An empty span would overlap nothing.
  CONSTRAINT segments_order CHECK (end_time > start_time),
  -- A break is one of an entry, and of no work.
  CONSTRAINT segments_break CHECK (
    break_type_id IS NULL OR (time_entry_id IS NOT NULL AND project_id IS NULL AND task_id IS NULL)),
  CONSTRAINT segments_open_inside_entry CHECK (end_time IS NOT NULL OR time_entry_id IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX segments_by_id ON segments (organization_id, id);
CREATE UNIQUE INDEX segments_one_open ON segments (organization_id, user_id) WHERE end_time IS NULL;
-- Segments of a member never overlap, so no two begin at once.
CREATE UNIQUE INDEX segments_by_start ON segments (organization_id, user_id, start_time);
CREATE INDEX segments_by_time ON segments (organization_id, start_time);
CREATE INDEX segments_of_entry ON segments (organization_id, time_entry_id) WHERE time_entry_id IS NOT NULL;
CREATE INDEX segments_of_project ON segments (organization_id, project_id, start_time) WHERE project_id IS NOT NULL;
CREATE INDEX segments_of_task ON segments (organization_id, task_id, start_time) WHERE task_id IS NOT NULL;

-- The last word against overlaps, as for time entries.
CREATE TRIGGER segments_no_overlap_on_insert BEFORE INSERT ON segments
WHEN EXISTS (
  SELECT 1 FROM (
    SELECT end_time FROM segments
    WHERE organization_id = NEW.organization_id AND user_id = NEW.user_id
      AND start_time < coalesce(NEW.end_time, 9223372036854775807)
    ORDER BY start_time DESC LIMIT 1)
  WHERE end_time IS NULL OR end_time > NEW.start_time)
BEGIN
  SELECT raise(ABORT, 'segments_no_overlap');
END;

-- A span that only shrinks cannot begin to overlap.
CREATE TRIGGER segments_no_overlap_on_update
BEFORE UPDATE OF organization_id, user_id, start_time, end_time ON segments
WHEN (
    NEW.start_time < OLD.start_time
    OR coalesce(NEW.end_time, 9223372036854775807) > coalesce(OLD.end_time, 9223372036854775807)
    OR NEW.user_id <> OLD.user_id OR NEW.organization_id <> OLD.organization_id)
  AND EXISTS (
    SELECT 1 FROM (
      SELECT end_time FROM segments
      WHERE organization_id = NEW.organization_id AND user_id = NEW.user_id
        AND start_time < coalesce(NEW.end_time, 9223372036854775807) AND segment_id <> OLD.segment_id
      ORDER BY start_time DESC LIMIT 1)
    WHERE end_time IS NULL OR end_time > NEW.start_time)
BEGIN
  SELECT raise(ABORT, 'segments_no_overlap');
END;

-- A segment lies inside its entry, whichever of the two is written.
CREATE TRIGGER segments_inside_entry_on_insert BEFORE INSERT ON segments
WHEN NEW.time_entry_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM time_entries e
  WHERE e.organization_id = NEW.organization_id AND e.id = NEW.time_entry_id AND e.user_id = NEW.user_id
    AND e.clock_in <= NEW.start_time AND (e.clock_out IS NULL OR NEW.end_time <= e.clock_out))
BEGIN
  SELECT raise(ABORT, 'segments_inside_entry');
END;

CREATE TRIGGER segments_inside_entry_on_update
BEFORE UPDATE OF organization_id, user_id, time_entry_id, start_time, end_time ON segments
WHEN NEW.time_entry_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM time_entries e
  WHERE e.organization_id = NEW.organization_id AND e.id = NEW.time_entry_id AND e.user_id = NEW.user_id
    AND e.clock_in <= NEW.start_time AND (e.clock_out IS NULL OR NEW.end_time <= e.clock_out))
BEGIN
  SELECT raise(ABORT, 'segments_inside_entry');
END;

CREATE TRIGGER time_entries_around_segments
BEFORE UPDATE OF organization_id, user_id, clock_in, clock_out ON time_entries
WHEN EXISTS (
  SELECT 1 FROM segments s INDEXED BY segments_of_entry
  WHERE s.organization_id = OLD.organization_id AND s.time_entry_id = OLD.id
    AND (s.start_time < NEW.clock_in OR s.user_id <> NEW.user_id
      OR (NEW.clock_out IS NOT NULL AND (s.end_time IS NULL OR s.end_time > NEW.clock_out))))
BEGIN
  SELECT raise(ABORT, 'segments_inside_entry');
END;

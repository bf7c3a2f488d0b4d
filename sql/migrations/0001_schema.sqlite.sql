-- The schema of version 0.1. What changes later is a migration of its own beside this file.
--
-- Instants are milliseconds since 1970 in UTC, dates are days since 1970, public ids are the 16 bytes of a UUID. Rows refer to
-- each other by small integers, which never leave the database: they write twice as fast as ids of text and take a third of the
-- space. Every key of an organization's rows begins with organization_id, and so does every reference to them, so that no row
-- can point into another organization. docs/decisions/0003-sqlite-layout.md has the figures behind the layout.
--
-- Numbers that are "out of row_numbers" grow in the order of making, and none is ever given twice.

-- Organizations, with their policies. The row of a deleted one stays, without a name, so that its number is never given to
-- another one.
CREATE TABLE organizations (
  organization_id INTEGER PRIMARY KEY,
  id BLOB NOT NULL CONSTRAINT organizations_id_length CHECK (length(id) = 16),
  name TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  minimum_seconds INTEGER NOT NULL
    CONSTRAINT organizations_minimum_seconds CHECK (minimum_seconds BETWEEN 0 AND 86400),
  maximum_seconds INTEGER NOT NULL
    CONSTRAINT organizations_maximum_seconds CHECK (maximum_seconds BETWEEN 60 AND 604800),
  edit_window_days INTEGER NOT NULL
    CONSTRAINT organizations_edit_window_days CHECK (edit_window_days BETWEEN 0 AND 3650),
  look_back_hours INTEGER NOT NULL
    CONSTRAINT organizations_look_back_hours CHECK (look_back_hours BETWEEN 0 AND 8760),
  notes_maximum_characters INTEGER NOT NULL
    CONSTRAINT organizations_notes_maximum CHECK (notes_maximum_characters BETWEEN 0 AND 10000),
  version INTEGER NOT NULL CONSTRAINT organizations_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- After how long the service closes what nobody clocks out of; null for never.
  auto_clock_out_seconds INTEGER
    CONSTRAINT organizations_auto_clock_out CHECK (auto_clock_out_seconds BETWEEN 60 AND 1209600),
  -- Seconds of one local date, and of one week, from which on work is overtime; null for none.
  daily_overtime_seconds INTEGER
    CONSTRAINT organizations_daily_overtime CHECK (daily_overtime_seconds BETWEEN 0 AND 86400),
  weekly_overtime_seconds INTEGER
    CONSTRAINT organizations_weekly_overtime CHECK (weekly_overtime_seconds BETWEEN 0 AND 604800),
  -- The day on which weeks begin, 1 for Monday to 7 for Sunday.
  week_start INTEGER NOT NULL DEFAULT 1 CONSTRAINT organizations_week_start CHECK (week_start BETWEEN 1 AND 7),
  -- How many days back members may enter time by hand, or move entries to; null for no limit.
  manual_entry_days INTEGER
    CONSTRAINT organizations_manual_entry_days CHECK (manual_entry_days BETWEEN 0 AND 3650),
  -- The operator has closed a deactivated one to everybody.
  state TEXT NOT NULL DEFAULT 'active'
    CONSTRAINT organizations_state CHECK (state IN ('active', 'deactivated', 'deleting', 'deleted')),
  members_may_create_projects INTEGER NOT NULL DEFAULT 1
    CONSTRAINT organizations_members_may_create_projects CHECK (members_may_create_projects IN (0, 1)),
  -- Unpaid breaks that reports ask for: after how many seconds of work how many of break, "21600:1800 32400:2700". Empty for
  -- no rules.
  break_rules TEXT NOT NULL DEFAULT '',
  break_minimum_seconds INTEGER NOT NULL DEFAULT 900
    CONSTRAINT organizations_break_minimum_seconds CHECK (break_minimum_seconds BETWEEN 0 AND 86400),
  -- Whether a clock-in has to name a project.
  project_required INTEGER NOT NULL DEFAULT 0
    CONSTRAINT organizations_project_required CHECK (project_required IN (0, 1)),
  -- Whether members enter times by hand.
  members_may_enter_times INTEGER NOT NULL DEFAULT 1
    CONSTRAINT organizations_members_may_enter_times CHECK (members_may_enter_times IN (0, 1)),
  -- After how long an active entry gets a reminder; null for never.
  remind_after_seconds INTEGER
    CONSTRAINT organizations_remind_after CHECK (remind_after_seconds BETWEEN 300 AND 604800),
  -- For how many days sessions of timers are kept.
  timer_session_days INTEGER NOT NULL DEFAULT 730
    CONSTRAINT organizations_timer_session_days CHECK (timer_session_days BETWEEN 1 AND 3650),
  CONSTRAINT organizations_policy CHECK (minimum_seconds < maximum_seconds)
) STRICT;

CREATE UNIQUE INDEX organizations_by_id ON organizations (id);
CREATE INDEX organizations_with_auto_clock_out ON organizations (organization_id, auto_clock_out_seconds)
  WHERE auto_clock_out_seconds IS NOT NULL;
CREATE INDEX organizations_with_reminders ON organizations (organization_id, remind_after_seconds)
  WHERE remind_after_seconds IS NOT NULL;

-- People, each with one account for all organizations. Log-ins are good in an organization if members.accepted says so.
CREATE TABLE users (
  user_id INTEGER PRIMARY KEY,
  id BLOB NOT NULL CONSTRAINT users_id_length CHECK (length(id) = 16),
  email TEXT NOT NULL,
  -- What makes two addresses the same (docs/decisions/0037-addresses.md).
  email_key TEXT NOT NULL,
  name TEXT NOT NULL,
  password_hash TEXT,
  created_at INTEGER NOT NULL,
  -- Whether an admin has chosen the password, which is good for nothing but a change to the person's own.
  one_time_password INTEGER NOT NULL DEFAULT 0
    CONSTRAINT users_one_time_password CHECK (one_time_password IN (0, 1)),
  -- The language in which the person reads the service's pages; null for none chosen. The service says which there are.
  language TEXT
) STRICT;

CREATE UNIQUE INDEX users_by_id ON users (id);
CREATE UNIQUE INDEX users_by_email ON users (email_key);

CREATE TABLE members (
  organization_id INTEGER NOT NULL REFERENCES organizations,
  user_id INTEGER NOT NULL REFERENCES users,
  -- Out of row_numbers: the order of the list.
  member_number INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CONSTRAINT members_role CHECK (role IN ('member', 'manager', 'admin')),
  time_zone TEXT,
  active INTEGER NOT NULL CONSTRAINT members_active CHECK (active IN (0, 1)),
  -- Whether log-ins of the account are good here: at once if the account was made here, elsewhere once the person has accepted
  -- (docs/decisions/0004-contract.md).
  accepted INTEGER NOT NULL CONSTRAINT members_accepted CHECK (accepted IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT members_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The person is taken away then, and never comes back as this member; the times stay (docs/personal-data.md).
  anonymized_at INTEGER,
  -- The address as the organization's admin wrote it: another organization may spell it in another way. Empty for an
  -- anonymized member.
  email TEXT NOT NULL DEFAULT '',
  -- The number under which payroll programs know the member.
  personnel_number TEXT
    CONSTRAINT members_personnel_number CHECK (length(personnel_number) BETWEEN 1 AND 64),
  language TEXT,
  PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX members_in_order ON members (organization_id, member_number);
CREATE INDEX members_of_user ON members (user_id, member_number);
CREATE INDEX members_admins ON members (organization_id) WHERE role = 'admin' AND active = 1;
-- Deactivated members included.
CREATE UNIQUE INDEX members_by_personnel_number ON members (organization_id, personnel_number)
  WHERE personnel_number IS NOT NULL;

-- Log-ins, and API tokens.
CREATE TABLE tokens (
  -- Out of row_numbers: the key of a token that was revoked never becomes that of another.
  token_id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users,
  -- SHA-256; the token itself is never kept.
  digest BLOB NOT NULL CONSTRAINT tokens_digest_length CHECK (length(digest) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER,
  -- The three that make an API token; a log-in has none of them.
  organization_id INTEGER,
  id BLOB,
  name TEXT,
  read_only INTEGER NOT NULL DEFAULT 0 CONSTRAINT tokens_read_only CHECK (read_only IN (0, 1)),
  -- What a person logged in with, if that is known: entries made with the log-in have its source. The service says which
  -- clients there are.
  client TEXT CONSTRAINT tokens_client CHECK (client IS NULL OR organization_id IS NULL),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT tokens_kind CHECK (
    (organization_id IS NULL AND id IS NULL AND name IS NULL)
    OR (organization_id IS NOT NULL AND id IS NOT NULL AND length(id) = 16 AND name IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX tokens_by_digest ON tokens (digest);
CREATE INDEX tokens_of_user ON tokens (user_id);
CREATE UNIQUE INDEX api_tokens_by_id ON tokens (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX api_tokens_in_order ON tokens (organization_id, token_id) WHERE organization_id IS NOT NULL;

-- Links by which an admin lets a member choose a password. A row goes with its use.
CREATE TABLE invitations (
  -- Out of row_numbers: the order of the list.
  invitation_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT invitations_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- SHA-256; the token itself is never kept.
  digest BLOB NOT NULL CONSTRAINT invitations_digest_length CHECK (length(digest) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX invitations_by_id ON invitations (organization_id, id);
CREATE UNIQUE INDEX invitations_by_number ON invitations (organization_id, invitation_id);
CREATE UNIQUE INDEX invitations_by_digest ON invitations (digest);
-- A member has one at a time.
CREATE UNIQUE INDEX invitations_of_member ON invitations (organization_id, user_id);
CREATE INDEX invitations_of_user ON invitations (user_id);

-- How often passwords were tried lately, so that guessing is slow also after a restart.
-- docs/decisions/0017-log-in-protection.md has the reasons.
CREATE TABLE log_in_attempts (
  -- SHA-256 of the key of the e-mail address that was stated, whether it has an account or not; empty in the row that counts for
  -- all of them.
  account BLOB NOT NULL CONSTRAINT log_in_attempts_account_length CHECK (length(account) IN (0, 32)),
  -- The origin of the attempts: an IPv4 address, or the first half of an IPv6 address; empty in the row that counts for all of
  -- them.
  network TEXT NOT NULL,
  -- When nothing is left of what was counted: each attempt puts this off.
  clear_at INTEGER NOT NULL,
  -- Until when the network is known as one of the account's; zero if it never was.
  known_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, network)
) STRICT, WITHOUT ROWID;

-- What says nothing any more is removed.
CREATE INDEX log_in_attempts_by_expiry ON log_in_attempts (max(clear_at, known_until));

-- Requests that may come again, with their answers. docs/decisions/0009-idempotency.md has the reasons.
CREATE TABLE idempotency_keys (
  -- SHA-256 over who asked, for what, and the client's key, which is not kept itself.
  digest BLOB NOT NULL CONSTRAINT idempotency_keys_digest_length CHECK (length(digest) = 32),
  -- Who asked; null for the operator.
  user_id INTEGER REFERENCES users,
  -- Tells the request from others under the same key.
  fingerprint BLOB NOT NULL CONSTRAINT idempotency_keys_fingerprint_length CHECK (length(fingerprint) = 32),
  -- A body is sealed with a key that only the request itself yields.
  salt BLOB CONSTRAINT idempotency_keys_salt_length CHECK (length(salt) = 16),
  status INTEGER NOT NULL CONSTRAINT idempotency_keys_status CHECK (status BETWEEN 200 AND 499),
  entity_tag TEXT,
  location TEXT,
  body BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
-- What somebody was answered is forgotten with the person.
CREATE INDEX idempotency_keys_of_user ON idempotency_keys (user_id);

-- What people are to work at: planned by managers, with the members that are assigned.
CREATE TABLE sessions (
  session_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT sessions_id_length CHECK (length(id) = 16),
  date INTEGER NOT NULL,
  title TEXT NOT NULL,
  start_time INTEGER,
  end_time INTEGER,
  location TEXT,
  version INTEGER NOT NULL CONSTRAINT sessions_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT sessions_order CHECK (end_time > start_time)
) STRICT;

CREATE UNIQUE INDEX sessions_by_id ON sessions (organization_id, id);
CREATE UNIQUE INDEX sessions_by_number ON sessions (organization_id, session_id);
-- Within a date an index is in the order of the rows anyhow.
CREATE INDEX sessions_by_date ON sessions (organization_id, date);

CREATE TABLE session_assignees (
  organization_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (organization_id, session_id, user_id),
  FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, session_id)
    ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_assignees_by_user ON session_assignees (organization_id, user_id);

-- When members were at work. Clustered by member and date: a member's list is one run of neighboring rows.
--
-- Each index serves a question that no other does. Active entries have the unique index alone: an organization has at most one a
-- member, and these are few enough to be looked through.
CREATE TABLE time_entries (
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  date INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- Out of row_numbers; decides the order of entries created in one millisecond.
  entry_number INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT time_entries_id_length CHECK (length(id) = 16),
  clock_in INTEGER NOT NULL,
  -- Null while the entry is active.
  clock_out INTEGER,
  time_zone TEXT NOT NULL,
  offset_seconds INTEGER NOT NULL,
  session_id INTEGER,
  notes TEXT,
  -- Word by word: for a list of more than two words after IN, SQLite makes a table in memory at each write, and drops it. The
  -- same in changes.
  source TEXT NOT NULL
    CONSTRAINT time_entries_source CHECK (source = 'api' OR source = 'web' OR source = 'kiosk'
      OR source = 'import' OR source = 'admin' OR source = 'auto'),
  flags INTEGER NOT NULL,
  version INTEGER NOT NULL CONSTRAINT time_entries_version CHECK (version BETWEEN 1 AND 9007199254740991),
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, user_id, date, created_at, entry_number),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, session_id),
  -- An empty span would overlap nothing.
  CONSTRAINT time_entries_order CHECK (clock_out > clock_in),
  -- The date is the local one, and no zone is a day away from UTC. Lists of what overlaps a span rely on it.
  CONSTRAINT time_entries_date CHECK (
    clock_in >= (date - 1) * 86400000 AND clock_in < (date + 2) * 86400000)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX time_entries_by_id ON time_entries (organization_id, id);
CREATE UNIQUE INDEX time_entries_one_active ON time_entries (organization_id, user_id) WHERE clock_out IS NULL;
-- Entries of a member never overlap, so no two begin at once. Finds the entry before an instant.
CREATE UNIQUE INDEX time_entries_by_start ON time_entries (organization_id, user_id, clock_in);
CREATE INDEX time_entries_by_date ON time_entries (organization_id, date, created_at, entry_number);
CREATE INDEX time_entries_of_session ON time_entries (organization_id, session_id, date, created_at, entry_number)
  WHERE session_id IS NOT NULL;
-- Those that reach into a span from before are found here, or a day ahead of the span in the members' own runs of the table
-- (docs/decisions/0013-reports.md has the figures).
CREATE INDEX time_entries_longer_than_a_day ON time_entries (organization_id, clock_in)
  WHERE clock_out - clock_in > 86400000;

-- The last word against overlaps. As entries do not overlap, only the last one that begins before the new end can reach into the
-- new span.
CREATE TRIGGER time_entries_no_overlap_on_insert BEFORE INSERT ON time_entries
WHEN EXISTS (
  SELECT 1 FROM (
    SELECT clock_out FROM time_entries
    WHERE organization_id = NEW.organization_id AND user_id = NEW.user_id
      AND clock_in < coalesce(NEW.clock_out, 9223372036854775807)
    ORDER BY clock_in DESC LIMIT 1)
  WHERE clock_out IS NULL OR clock_out > NEW.clock_in)
BEGIN
  SELECT raise(ABORT, 'time_entries_no_overlap');
END;

-- A span that only shrinks, as by clocking out, cannot begin to overlap.
CREATE TRIGGER time_entries_no_overlap_on_update
BEFORE UPDATE OF organization_id, user_id, clock_in, clock_out ON time_entries
WHEN (
    NEW.clock_in < OLD.clock_in
    OR coalesce(NEW.clock_out, 9223372036854775807) > coalesce(OLD.clock_out, 9223372036854775807)
    OR NEW.user_id <> OLD.user_id OR NEW.organization_id <> OLD.organization_id)
  AND EXISTS (
    SELECT 1 FROM (
      SELECT clock_out FROM time_entries
      WHERE organization_id = NEW.organization_id AND user_id = NEW.user_id
        AND clock_in < coalesce(NEW.clock_out, 9223372036854775807) AND entry_number <> OLD.entry_number
      ORDER BY clock_in DESC LIMIT 1)
    WHERE clock_out IS NULL OR clock_out > NEW.clock_in)
BEGIN
  SELECT raise(ABORT, 'time_entries_no_overlap');
END;

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

-- What members work for: projects of the organization, and of single members.
CREATE TABLE projects (
  -- Out of row_numbers: the order of the list.
  project_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT projects_id_length CHECK (length(id) = 16),
  -- The member to whom it belongs; null means the organization.
  owner_id INTEGER,
  name TEXT NOT NULL CONSTRAINT projects_name_length CHECK (length(name) BETWEEN 1 AND 200),
  client TEXT CONSTRAINT projects_client_length CHECK (length(client) BETWEEN 1 AND 200),
  color TEXT NOT NULL
    CONSTRAINT projects_color CHECK (color GLOB '#[0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F]'),
  archived INTEGER NOT NULL CONSTRAINT projects_archived CHECK (archived IN (0, 1)),
  billable INTEGER NOT NULL CONSTRAINT projects_billable CHECK (billable IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT projects_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT projects_owner FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX projects_by_id ON projects (organization_id, id);
CREATE UNIQUE INDEX projects_by_number ON projects (organization_id, project_id);
CREATE INDEX projects_of_owner ON projects (organization_id, owner_id, project_id) WHERE owner_id IS NOT NULL;

-- Pieces of work, of a project or of none: the organization's, and members' own.
CREATE TABLE tasks (
  -- Out of row_numbers: the order of the list.
  task_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT tasks_id_length CHECK (length(id) = 16),
  -- The member to whom it belongs; null means the organization.
  owner_id INTEGER,
  project_id INTEGER,
  name TEXT NOT NULL CONSTRAINT tasks_name_length CHECK (length(name) BETWEEN 1 AND 100),
  hidden INTEGER NOT NULL CONSTRAINT tasks_hidden CHECK (hidden IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT tasks_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT tasks_owner FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT tasks_project FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, project_id)
) STRICT;

CREATE UNIQUE INDEX tasks_by_id ON tasks (organization_id, id);
CREATE UNIQUE INDEX tasks_by_number ON tasks (organization_id, task_id);
CREATE INDEX tasks_of_owner ON tasks (organization_id, owner_id, task_id) WHERE owner_id IS NOT NULL;
CREATE INDEX tasks_of_project ON tasks (organization_id, project_id, task_id) WHERE project_id IS NOT NULL;

-- What time was for: spans of work on a project or a task, and breaks. They never carry pay by themselves: time entries do.
CREATE TABLE segments (
  -- Out of row_numbers.
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
-- The breaks that reports read.
CREATE INDEX segments_of_breaks ON segments (organization_id, user_id, start_time) WHERE break_type_id IS NOT NULL;

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

-- Members' own timers (focus, breaks, rests), with what they leave. They are nobody else's: no log, report or list of an
-- organization shows them, and nothing here refers to time entries. Instants and lengths are in milliseconds.
--
-- One row for each member who has ever had a timer, or settings of it; it stays when the timer is over.
CREATE TABLE timers (
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT timers_state CHECK (state IN ('reset', 'running', 'paused', 'finished')),
  -- From here to subject_name it is the timer's, and null while there is none.
  id BLOB CONSTRAINT timers_id_length CHECK (length(id) = 16),
  type TEXT CONSTRAINT timers_type CHECK (type IN ('focus', 'shortBreak', 'longBreak', 'rest')),
  start_time INTEGER,
  -- Of a countdown; null for what counts up.
  end_time INTEGER,
  last_start_time INTEGER,
  paused_since INTEGER,
  paused_by_background INTEGER CONSTRAINT timers_paused_by_background CHECK (paused_by_background IN (0, 1)),
  finished_at INTEGER,
  paused_time INTEGER CONSTRAINT timers_paused_time CHECK (paused_time >= 0),
  -- Of what counts up the longest time that it runs, without pauses.
  original_time INTEGER,
  adjusted_time INTEGER,
  was_adjusted INTEGER CONSTRAINT timers_was_adjusted CHECK (was_adjusted IN (0, 1)),
  pauses_in_background INTEGER CONSTRAINT timers_pauses_in_background CHECK (pauses_in_background IN (0, 1)),
  background_since INTEGER,
  label TEXT CONSTRAINT timers_label_length CHECK (length(label) BETWEEN 1 AND 200),
  -- By their public ids, without a foreign key: they are a note of the member's, and must not be in the way of a project that is
  -- to be deleted. What is gone is no longer shown.
  project_id BLOB CONSTRAINT timers_project_id_length CHECK (length(project_id) = 16),
  task_id BLOB CONSTRAINT timers_task_id_length CHECK (length(task_id) = 16),
  subject_id TEXT CONSTRAINT timers_subject_id_length CHECK (length(subject_id) BETWEEN 1 AND 100),
  subject_name TEXT CONSTRAINT timers_subject_name_length CHECK (length(subject_name) BETWEEN 1 AND 200),
  streak INTEGER NOT NULL CONSTRAINT timers_streak CHECK (streak >= 0),
  last_focus_end INTEGER,
  auto_starts INTEGER NOT NULL CONSTRAINT timers_auto_starts CHECK (auto_starts >= 0),
  -- JSON; null for none.
  routine TEXT,
  -- JSON; null for those that nobody has stated.
  settings TEXT,
  last_command_time INTEGER,
  -- JSON: it as the last command left it; null unless time alone has changed it since.
  past TEXT,
  -- The time at which it changes by itself next.
  due_at INTEGER,
  version INTEGER NOT NULL CONSTRAINT timers_version CHECK (version BETWEEN 1 AND 9007199254740991),
  updated_at INTEGER NOT NULL,
  CONSTRAINT timers_key PRIMARY KEY (organization_id, user_id),
  CONSTRAINT timers_member FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT timers_none CHECK (
    CASE WHEN state = 'reset'
    THEN coalesce(
      id, type, start_time, end_time, last_start_time, paused_since, paused_by_background, finished_at,
      paused_time, original_time, adjusted_time, was_adjusted, pauses_in_background, background_since, label, project_id,
      task_id, subject_id, subject_name, due_at) IS NULL
    ELSE id IS NOT NULL AND type IS NOT NULL AND start_time IS NOT NULL AND last_start_time IS NOT NULL
      AND paused_by_background IS NOT NULL AND paused_time IS NOT NULL AND original_time IS NOT NULL
      AND adjusted_time IS NOT NULL AND was_adjusted IS NOT NULL AND pauses_in_background IS NOT NULL
      AND due_at IS NOT NULL END),
  CONSTRAINT timers_paused CHECK ((state = 'paused') = (paused_since IS NOT NULL)),
  CONSTRAINT timers_finished CHECK ((state = 'finished') = (finished_at IS NOT NULL)),
  CONSTRAINT timers_subject CHECK ((subject_id IS NULL) = (subject_name IS NULL)),
  -- Only a focus counts up.
  CONSTRAINT timers_countdown CHECK (state = 'reset' OR type = 'focus' OR end_time IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- What the service looks for: the timers that change next.
CREATE INDEX timers_due ON timers (due_at) WHERE due_at IS NOT NULL;

-- The time that a timer leaves when it is over.
CREATE TABLE timer_sessions (
  -- Out of row_numbers.
  timer_session_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  -- Its timer's.
  id BLOB NOT NULL CONSTRAINT timer_sessions_id_length CHECK (length(id) = 16),
  type TEXT NOT NULL CONSTRAINT timer_sessions_type CHECK (type IN ('focus', 'shortBreak', 'longBreak', 'rest')),
  start_time INTEGER NOT NULL,
  end_time INTEGER NOT NULL,
  minutes INTEGER NOT NULL CONSTRAINT timer_sessions_minutes CHECK (minutes >= 1),
  interruption_minutes INTEGER NOT NULL
    CONSTRAINT timer_sessions_interruption_minutes CHECK (interruption_minutes >= 0),
  seconds INTEGER NOT NULL CONSTRAINT timer_sessions_seconds CHECK (seconds >= 0),
  label TEXT CONSTRAINT timer_sessions_label_length CHECK (length(label) BETWEEN 1 AND 200),
  -- As in timers.
  project_id BLOB CONSTRAINT timer_sessions_project_id_length CHECK (length(project_id) = 16),
  task_id BLOB CONSTRAINT timer_sessions_task_id_length CHECK (length(task_id) = 16),
  outcome TEXT NOT NULL CONSTRAINT timer_sessions_outcome CHECK (outcome IN ('finished', 'skipped', 'stopped')),
  notes TEXT,
  archived INTEGER NOT NULL CONSTRAINT timer_sessions_archived CHECK (archived IN (0, 1)),
  created_at INTEGER NOT NULL,
  CONSTRAINT timer_sessions_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id),
  CONSTRAINT timer_sessions_order CHECK (end_time > start_time)
) STRICT;

-- The last word when several notice the end of one timer: it leaves one session.
CREATE UNIQUE INDEX timer_sessions_once ON timer_sessions (organization_id, user_id, start_time, type);
CREATE UNIQUE INDEX timer_sessions_by_id ON timer_sessions (organization_id, id);
-- What has been kept for long enough.
CREATE INDEX timer_sessions_by_end ON timer_sessions (organization_id, end_time);

-- Places on members' phones to which messages go: Live Activities, and the apps themselves. They are nobody else's: no log,
-- report or list of an organization shows them.
CREATE TABLE push_targets (
  -- Out of row_numbers: the order of the list.
  push_target_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT push_targets_id_length CHECK (length(id) = 16),
  -- The token of the request that made it, with which it goes.
  token_id INTEGER NOT NULL CONSTRAINT push_targets_token REFERENCES tokens ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT push_targets_kind CHECK (kind IN ('liveActivity', 'pushToStart', 'alert')),
  form TEXT CONSTRAINT push_targets_form CHECK (form IN ('task', 'work', 'focus', 'rest', 'routine')),
  -- What the phone is called. It and the app's key are all that sending to the phone takes.
  token BLOB NOT NULL CONSTRAINT push_targets_token_length CHECK (length(token) BETWEEN 8 AND 200),
  topic TEXT NOT NULL CONSTRAINT push_targets_topic_length CHECK (length(topic) BETWEEN 1 AND 155),
  environment TEXT NOT NULL
    CONSTRAINT push_targets_environment CHECK (environment IN ('production', 'sandbox')),
  dates TEXT NOT NULL CONSTRAINT push_targets_dates CHECK (dates IN ('reference', 'unix', 'iso8601')),
  attributes_type TEXT
    CONSTRAINT push_targets_attributes_type_length CHECK (length(attributes_type) BETWEEN 1 AND 100),
  created_at INTEGER NOT NULL,
  -- Null for what ends with the token alone.
  expires_at INTEGER,
  -- What it knows: the activity, and what was sent of it last.
  activity TEXT,
  state_tag TEXT,
  tag TEXT,
  content TEXT,
  sent_at INTEGER,
  -- Messages on a day of UTC, counted from 1970.
  sent_day INTEGER NOT NULL,
  sent_count INTEGER NOT NULL,
  -- The attempts in a row that have failed.
  failures INTEGER NOT NULL,
  -- The time before which nobody sends, and at which somebody looks. A program that makes an attempt puts it off first, so that
  -- no other does the same.
  due_at INTEGER,
  -- Counts how often it was written.
  moves INTEGER NOT NULL,
  CONSTRAINT push_targets_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id),
  CONSTRAINT push_targets_form_of_kind CHECK ((kind = 'alert') = (form IS NULL))
) STRICT;

CREATE UNIQUE INDEX push_targets_by_id ON push_targets (organization_id, id);
CREATE UNIQUE INDEX push_targets_by_token ON push_targets (organization_id, token);
CREATE UNIQUE INDEX push_targets_by_number ON push_targets (organization_id, push_target_id);
CREATE INDEX push_targets_of_member ON push_targets (organization_id, user_id, push_target_id);
-- What goes with a token.
CREATE INDEX push_targets_of_token ON push_targets (token_id);
-- What the service looks for.
CREATE INDEX push_targets_by_due_at ON push_targets (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX push_targets_by_expires_at ON push_targets (expires_at) WHERE expires_at IS NOT NULL;

-- Reminders of what is due.
CREATE TABLE reminders (
  -- Out of row_numbers: the order of the list.
  reminder_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  user_id INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT reminders_id_length CHECK (length(id) = 16),
  kind TEXT NOT NULL CONSTRAINT reminders_kind CHECK (kind = 'clocked_in_too_long'),
  -- Refers to no row: the entry may be deleted, and its reminder has been given all the same.
  time_entry_id BLOB NOT NULL CONSTRAINT reminders_time_entry_id_length CHECK (length(time_entry_id) = 16),
  created_at INTEGER NOT NULL,
  CONSTRAINT reminders_member FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX reminders_by_id ON reminders (organization_id, id);
CREATE UNIQUE INDEX reminders_by_number ON reminders (organization_id, reminder_id);
CREATE UNIQUE INDEX reminders_of_member ON reminders (organization_id, user_id, reminder_id);
-- One of each kind for an entry, however many look.
CREATE UNIQUE INDEX reminders_once ON reminders (organization_id, time_entry_id, kind);

-- Who changed what: the log of changes, which is the audit log and the feed of changes in one.
--
-- A change is written in the transaction that makes it, and nothing ever updates or deletes one (the erasing of personal data
-- apart, which leaves the seal). docs/decisions/0008-changes.md has the reasons.
CREATE TABLE changes (
  -- Out of row_numbers.
  change_number INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  time INTEGER NOT NULL,
  -- Public ids: what is logged stays readable whatever becomes of the rows.
  author_means TEXT NOT NULL
    CONSTRAINT changes_author_means CHECK (author_means = 'api-token' OR author_means = 'log-in'
      OR author_means = 'operator' OR author_means = 'service'),
  author_id BLOB CONSTRAINT changes_author_id_length CHECK (length(author_id) = 16),
  author_token_id BLOB CONSTRAINT changes_author_token_id_length CHECK (length(author_token_id) = 16),
  request_id BLOB CONSTRAINT changes_request_id_length CHECK (length(request_id) = 16),
  operation TEXT NOT NULL,
  kind TEXT NOT NULL CONSTRAINT changes_kind CHECK (kind = 'created' OR kind = 'updated' OR kind = 'deleted'),
  resource TEXT NOT NULL,
  resource_id BLOB NOT NULL CONSTRAINT changes_resource_id_length CHECK (length(resource_id) = 16),
  -- The resource before and after, as JSON.
  before TEXT,
  after TEXT,
  reason TEXT,
  -- Null once the content has been erased.
  salt BLOB CONSTRAINT changes_salt_length CHECK (length(salt) = 16),
  CONSTRAINT changes_content CHECK (salt IS NOT NULL OR (before IS NULL AND after IS NULL AND reason IS NULL))
) STRICT;

-- Ids grow with time, so that most rows go to the index's end.
CREATE INDEX changes_of_resource ON changes (organization_id, resource_id, change_number);
-- What was deleted is found by whose it was. The content of such a change is written by the program in one form, and within a
-- text every quotation mark has a backslash before it. No JSON function: SQLite lets none into a schema that it does not trust.
CREATE INDEX changes_of_deleted
ON changes (organization_id, substr(before, instr(before, '"userId":"') + 10, 36)) WHERE kind = 'deleted';

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes BEGIN SELECT raise(ABORT, 'changes_are_kept'); END;

-- An update that erases the content, and nothing else, may pass.
CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
WHEN NEW.salt IS NOT NULL OR NEW.change_number <> OLD.change_number OR NEW.organization_id <> OLD.organization_id
  OR NEW.time <> OLD.time OR NEW.author_means <> OLD.author_means OR NEW.author_id IS NOT OLD.author_id
  OR NEW.author_token_id IS NOT OLD.author_token_id OR NEW.request_id IS NOT OLD.request_id
  OR NEW.operation <> OLD.operation OR NEW.kind <> OLD.kind OR NEW.resource <> OLD.resource
  OR NEW.resource_id <> OLD.resource_id
BEGIN SELECT raise(ABORT, 'changes_stay'); END;

-- The chain of hashes. The writer seals a change as it makes it. In the order of the changes, so that the seals of all
-- organizations grow at one end, a few dozen a page.
CREATE TABLE change_seals (
  change_number INTEGER PRIMARY KEY REFERENCES changes,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  -- From 1 on without gaps, in the order of the commits.
  sequence INTEGER NOT NULL CONSTRAINT change_seals_sequence CHECK (sequence BETWEEN 1 AND 9007199254740991),
  content_digest BLOB NOT NULL CONSTRAINT change_seals_content_digest_length CHECK (length(content_digest) = 32),
  hash BLOB NOT NULL CONSTRAINT change_seals_hash_length CHECK (length(hash) = 32)
) STRICT;

CREATE UNIQUE INDEX change_seals_in_order ON change_seals (organization_id, sequence);

CREATE TRIGGER change_seals_are_kept BEFORE DELETE ON change_seals
BEGIN SELECT raise(ABORT, 'change_seals_are_kept'); END;

CREATE TRIGGER change_seals_stay BEFORE UPDATE ON change_seals
BEGIN SELECT raise(ABORT, 'change_seals_stay'); END;

-- The epoch of the log of changes: sequence numbers of two epochs may stand for different changes, so a reader who has kept a
-- number of another epoch reads everything once more. Null in a back-up and in a new database: the next start gives one.
CREATE TABLE log_epoch (
  log_epoch_id INTEGER NOT NULL PRIMARY KEY CONSTRAINT log_epoch_one_row CHECK (log_epoch_id = 1),
  epoch TEXT CONSTRAINT log_epoch_digits CHECK (length(epoch) = 16 AND epoch NOT GLOB '*[^0-9a-f]*'),
  -- What PostgreSQL tells databases apart by.
  place TEXT
) STRICT;

INSERT INTO log_epoch (log_epoch_id) VALUES (1);

-- Addresses of programs to which changes are sent.
CREATE TABLE webhooks (
  -- Out of row_numbers: the order of the list.
  webhook_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT webhooks_id_length CHECK (length(id) = 16),
  url TEXT NOT NULL CONSTRAINT webhooks_url_length CHECK (length(url) BETWEEN 1 AND 2048),
  -- The kinds of resources whose changes are sent, between commas; null means all.
  resources TEXT,
  enabled INTEGER NOT NULL CONSTRAINT webhooks_enabled CHECK (enabled IN (0, 1)),
  -- The key of the signatures. No log has it.
  secret BLOB NOT NULL CONSTRAINT webhooks_secret_length CHECK (length(secret) BETWEEN 24 AND 64),
  version INTEGER NOT NULL CONSTRAINT webhooks_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX webhooks_by_id ON webhooks (organization_id, id);
CREATE UNIQUE INDEX webhooks_by_number ON webhooks (organization_id, webhook_id);

-- The place that each webhook has reached in the log of changes. Copies of the database lack them, so that nothing is sent twice.
CREATE TABLE webhook_cursors (
  organization_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  -- The sequence number of the last change that has been sent, or was none of the webhook's.
  position INTEGER NOT NULL,
  -- The attempts in a row that have failed, and the time of the first of them.
  failures INTEGER NOT NULL,
  failing_since INTEGER,
  -- The time of the next attempt. A program that makes one puts it off first, so that no other does the same.
  due_at INTEGER NOT NULL,
  CONSTRAINT webhook_cursors_key PRIMARY KEY (organization_id, webhook_id),
  CONSTRAINT webhook_cursors_webhook FOREIGN KEY (organization_id, webhook_id)
    REFERENCES webhooks (organization_id, webhook_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_cursors_by_due_at ON webhook_cursors (due_at);

-- The attempts of the last 30 days.
CREATE TABLE webhook_attempts (
  webhook_attempt_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  -- The sequence number of the change; null for a ping.
  sequence INTEGER,
  time INTEGER NOT NULL,
  -- The status of the answer; null if none came.
  status INTEGER,
  error TEXT,
  milliseconds INTEGER NOT NULL,
  CONSTRAINT webhook_attempts_webhook FOREIGN KEY (organization_id, webhook_id)
    REFERENCES webhooks (organization_id, webhook_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX webhook_attempts_of_webhook ON webhook_attempts (organization_id, webhook_id, webhook_attempt_id);
CREATE INDEX webhook_attempts_by_time ON webhook_attempts (time);

-- Up to which number the writer has given numbers out, each once.
CREATE TABLE row_numbers (
  only_row INTEGER PRIMARY KEY CONSTRAINT row_numbers_only_row CHECK (only_row = 1),
  last_number INTEGER NOT NULL
    CONSTRAINT row_numbers_last_number CHECK (last_number BETWEEN 0 AND 9007199254740991)
) STRICT;

INSERT INTO row_numbers VALUES (1, 0);

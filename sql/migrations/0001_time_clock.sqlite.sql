-- Organizations, the people in them, their tokens, sessions and time entries.
--
-- Instants are milliseconds since 1970 in UTC, dates are days since 1970, public ids are the 16 bytes of a
-- UUID. Rows refer to each other by small integers, which never leave the database: they write twice as fast
-- as ids of text and take a third of the space. Every key of an organization's rows begins with
-- organization_id, and so does every reference to them, so that no row can point into another organization.
-- docs/decisions/0003-sqlite-layout.md has the figures behind the layout.

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
  CONSTRAINT organizations_policy CHECK (minimum_seconds < maximum_seconds)
) STRICT;

CREATE UNIQUE INDEX organizations_by_id ON organizations (id);

-- People, each with one account for all organizations. Log-ins are good where members.accepted says so.
CREATE TABLE users (
  user_id INTEGER PRIMARY KEY,
  id BLOB NOT NULL CONSTRAINT users_id_length CHECK (length(id) = 16),
  email TEXT NOT NULL,
  -- The address in lower case: what makes two addresses the same.
  email_key TEXT NOT NULL,
  name TEXT NOT NULL,
  password_hash TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX users_by_id ON users (id);
CREATE UNIQUE INDEX users_by_email ON users (email_key);

CREATE TABLE members (
  organization_id INTEGER NOT NULL REFERENCES organizations,
  user_id INTEGER NOT NULL REFERENCES users,
  -- Out of row_numbers: grows in the order in which members are added, which is the order they are listed in.
  member_number INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CONSTRAINT members_role CHECK (role IN ('member', 'manager', 'admin')),
  time_zone TEXT,
  active INTEGER NOT NULL CONSTRAINT members_active CHECK (active IN (0, 1)),
  -- Whether log-ins of the account are good here: at once where the account was made here, elsewhere once the
  -- person has accepted (docs/decisions/0004-contract.md).
  accepted INTEGER NOT NULL CONSTRAINT members_accepted CHECK (accepted IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT members_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX members_in_order ON members (organization_id, member_number);
CREATE INDEX members_of_user ON members (user_id, member_number);
CREATE INDEX members_admins ON members (organization_id) WHERE role = 'admin' AND active = 1;

CREATE TABLE tokens (
  -- Out of row_numbers, so that the key of a token that was revoked never becomes that of another.
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
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT tokens_kind CHECK (
    (organization_id IS NULL AND id IS NULL AND name IS NULL)
    OR (organization_id IS NOT NULL AND id IS NOT NULL AND length(id) = 16 AND name IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX tokens_by_digest ON tokens (digest);
CREATE INDEX tokens_of_user ON tokens (user_id);
CREATE UNIQUE INDEX api_tokens_by_id ON tokens (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX api_tokens_in_order ON tokens (organization_id, token_id) WHERE organization_id IS NOT NULL;

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

-- Clustered by member and date: a member's list is one run of neighbouring rows.
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
  source TEXT NOT NULL
    CONSTRAINT time_entries_source CHECK (source IN ('api', 'web', 'kiosk', 'import', 'admin', 'auto')),
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

-- The last word against overlaps. As entries do not overlap, only the last one that begins before the new
-- end can reach into the new span.
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

-- Up to which number the writer has given numbers out, each once.
CREATE TABLE row_numbers (
  only_row INTEGER PRIMARY KEY CONSTRAINT row_numbers_only_row CHECK (only_row = 1),
  last_number INTEGER NOT NULL
    CONSTRAINT row_numbers_last_number CHECK (last_number BETWEEN 0 AND 9007199254740991)
) STRICT;

INSERT INTO row_numbers VALUES (1, 0);

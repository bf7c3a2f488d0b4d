-- Reminders of what is due, and when an organization wants one of an entry that is active for long.

ALTER TABLE organizations ADD COLUMN remind_after_seconds INTEGER
  CONSTRAINT organizations_remind_after CHECK (remind_after_seconds BETWEEN 300 AND 604800);

CREATE INDEX organizations_with_reminders ON organizations (organization_id, remind_after_seconds)
  WHERE remind_after_seconds IS NOT NULL;

CREATE TABLE reminders (
  -- Out of row_numbers: grows in the order of making, which is the order of the list, and is never given twice.
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
-- Once an entry, whoever looks.
CREATE UNIQUE INDEX reminders_once ON reminders (organization_id, time_entry_id, kind);

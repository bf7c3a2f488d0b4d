-- The calendars whose holidays lessen what members owe.
CREATE TABLE holiday_calendars (
  holiday_calendar_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT holiday_calendars_id_length CHECK (length(id) = 16),
  name TEXT NOT NULL,
  version INTEGER NOT NULL CONSTRAINT holiday_calendars_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX holiday_calendars_by_id ON holiday_calendars (organization_id, id);
CREATE UNIQUE INDEX holiday_calendars_by_number ON holiday_calendars (organization_id, holiday_calendar_id);

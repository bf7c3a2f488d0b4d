-- The holidays of a calendar, one a date.
CREATE TABLE holidays (
  holiday_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT holidays_id_length CHECK (length(id) = 16),
  calendar_id INTEGER NOT NULL,
  -- Days since 1970.
  date INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The hundredths of a plan that need not be worked.
  percent INTEGER NOT NULL CONSTRAINT holidays_percent CHECK (percent BETWEEN 1 AND 100),
  version INTEGER NOT NULL CONSTRAINT holidays_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT holidays_calendar FOREIGN KEY (organization_id, calendar_id)
    REFERENCES holiday_calendars (organization_id, holiday_calendar_id)
) STRICT;

CREATE UNIQUE INDEX holidays_by_id ON holidays (organization_id, id);
CREATE UNIQUE INDEX holidays_by_number ON holidays (organization_id, holiday_id);
CREATE UNIQUE INDEX holidays_by_date ON holidays (organization_id, calendar_id, date);

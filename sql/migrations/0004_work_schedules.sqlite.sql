-- The work that members owe, each row from its date on.
CREATE TABLE work_schedules (
  work_schedule_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT work_schedules_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- Days since 1970.
  from_date INTEGER NOT NULL,
  -- The seconds of the days of one to eight weeks, with commas between them.
  seconds_by_weekday TEXT NOT NULL,
  holiday_calendar_id INTEGER,
  works_on_holidays INTEGER NOT NULL CONSTRAINT work_schedules_works_on_holidays CHECK (works_on_holidays IN (0, 1)),
  -- Null means the organization's.
  time_zone TEXT,
  workday_start TEXT NOT NULL CONSTRAINT work_schedules_start CHECK (length(workday_start) = 5),
  version INTEGER NOT NULL CONSTRAINT work_schedules_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT work_schedules_user FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT work_schedules_calendar FOREIGN KEY (organization_id, holiday_calendar_id)
    REFERENCES holiday_calendars (organization_id, holiday_calendar_id)
) STRICT;

CREATE UNIQUE INDEX work_schedules_by_id ON work_schedules (organization_id, id);
CREATE UNIQUE INDEX work_schedules_by_number ON work_schedules (organization_id, work_schedule_id);
CREATE UNIQUE INDEX work_schedules_of_member ON work_schedules (organization_id, user_id, from_date);
CREATE INDEX work_schedules_of_calendar ON work_schedules (organization_id, holiday_calendar_id)
  WHERE holiday_calendar_id IS NOT NULL;

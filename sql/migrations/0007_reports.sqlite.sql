-- What reports need: from when on work is overtime.

-- Seconds of one local date, and of one week; null where none is.
ALTER TABLE organizations ADD COLUMN daily_overtime_seconds INTEGER
  CONSTRAINT organizations_daily_overtime CHECK (daily_overtime_seconds BETWEEN 0 AND 86400);
ALTER TABLE organizations ADD COLUMN weekly_overtime_seconds INTEGER
  CONSTRAINT organizations_weekly_overtime CHECK (weekly_overtime_seconds BETWEEN 0 AND 604800);

-- On which day weeks begin, 1 for Monday to 7 for Sunday.
ALTER TABLE organizations ADD COLUMN week_start INTEGER NOT NULL DEFAULT 1
  CONSTRAINT organizations_week_start CHECK (week_start BETWEEN 1 AND 7);

-- Entries that last longer than a day: those that reach into a span from before are found here, or a day ahead of the span
-- in the members' own runs of the table. docs/decisions/0013-reports.md has the figures.
CREATE INDEX time_entries_longer_than_a_day ON time_entries (organization_id, clock_in)
  WHERE clock_out IS NULL OR clock_out - clock_in > 86400000;

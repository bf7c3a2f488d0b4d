-- What reports need: from when on work is overtime, and the indexes that answer for a month of everybody
-- without the table.

-- Seconds of one local date, and of one week; null where none is.
ALTER TABLE organizations ADD COLUMN daily_overtime_seconds BIGINT
  CONSTRAINT organizations_daily_overtime CHECK (daily_overtime_seconds BETWEEN 0 AND 86400);
ALTER TABLE organizations ADD COLUMN weekly_overtime_seconds BIGINT
  CONSTRAINT organizations_weekly_overtime CHECK (weekly_overtime_seconds BETWEEN 0 AND 604800);

-- On which day weeks begin, 1 for Monday to 7 for Sunday.
ALTER TABLE organizations ADD COLUMN week_start BIGINT NOT NULL DEFAULT 1
  CONSTRAINT organizations_week_start CHECK (week_start BETWEEN 1 AND 7);

-- Entries by their start, with all that a report reads of one. Those that last longer than a day stand in an index of
-- their own, so that those which reach into a span from before are found a day ahead of it, or there.
-- docs/decisions/0013-reports.md has the figures.
CREATE INDEX time_entries_for_reports ON time_entries (organization_id, clock_in)
  INCLUDE (user_id, clock_out, flags, session_id, source, id);
CREATE INDEX time_entries_longer_than_a_day ON time_entries (organization_id, clock_in)
  INCLUDE (user_id, clock_out, flags, session_id, source, id)
  WHERE clock_out IS NULL OR clock_out - clock_in > 86400000;

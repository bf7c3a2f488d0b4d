-- What reports need: from when on work is overtime.

-- Seconds of one local date, and of one week; null where none is.
ALTER TABLE organizations ADD COLUMN daily_overtime_seconds INTEGER
  CONSTRAINT organizations_daily_overtime CHECK (daily_overtime_seconds BETWEEN 0 AND 86400);
ALTER TABLE organizations ADD COLUMN weekly_overtime_seconds INTEGER
  CONSTRAINT organizations_weekly_overtime CHECK (weekly_overtime_seconds BETWEEN 0 AND 604800);

-- On which day weeks begin, 1 for Monday to 7 for Sunday.
ALTER TABLE organizations ADD COLUMN week_start INTEGER NOT NULL DEFAULT 1
  CONSTRAINT organizations_week_start CHECK (week_start BETWEEN 1 AND 7);

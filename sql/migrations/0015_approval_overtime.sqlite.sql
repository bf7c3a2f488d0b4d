-- The overtime among the paid seconds of approved dates; null in approvals from before it was kept.
ALTER TABLE approvals ADD COLUMN daily_overtime_seconds INTEGER
  CONSTRAINT approvals_daily_overtime CHECK (daily_overtime_seconds >= 0);
ALTER TABLE approvals ADD COLUMN weekly_overtime_seconds INTEGER
  CONSTRAINT approvals_weekly_overtime CHECK (weekly_overtime_seconds >= 0);

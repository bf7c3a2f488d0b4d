-- The unpaid breaks that reports ask for, and an index of the breaks that they read.

-- After how many seconds of work how many of break: "21600:1800 32400:2700". Empty for no rules.
ALTER TABLE organizations ADD COLUMN break_rules TEXT NOT NULL DEFAULT '';
ALTER TABLE organizations ADD COLUMN break_minimum_seconds BIGINT NOT NULL DEFAULT 900
  CONSTRAINT organizations_break_minimum_seconds CHECK (break_minimum_seconds BETWEEN 0 AND 86400);

CREATE INDEX segments_of_breaks ON segments (organization_id, start_time) WHERE break_type_id IS NOT NULL;

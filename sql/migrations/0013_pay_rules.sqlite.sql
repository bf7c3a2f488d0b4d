-- The rules by which dates are paid, from a first date on, so that no change re-times what was approved.
CREATE TABLE pay_rules (
  pay_rules_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT pay_rules_id_length CHECK (length(id) = 16),
  -- Days since 1970.
  from_date INTEGER NOT NULL,
  -- As in `organizations`.
  break_rules TEXT NOT NULL,
  break_minimum_seconds INTEGER NOT NULL,
  daily_overtime_after INTEGER,
  weekly_overtime_after INTEGER,
  week_start TEXT NOT NULL CONSTRAINT pay_rules_week_start CHECK (
    week_start IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  version INTEGER NOT NULL CONSTRAINT pay_rules_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX pay_rules_by_id ON pay_rules (organization_id, id);
CREATE UNIQUE INDEX pay_rules_by_number ON pay_rules (organization_id, pay_rules_id);
CREATE UNIQUE INDEX pay_rules_by_date ON pay_rules (organization_id, from_date);

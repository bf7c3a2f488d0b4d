-- Entries that nobody clocks out of: after how long the service closes them, and how it finds them.

-- Null where the service closes none.
ALTER TABLE organizations ADD COLUMN auto_clock_out_seconds BIGINT
  CONSTRAINT organizations_auto_clock_out CHECK (auto_clock_out_seconds BETWEEN 60 AND 1209600);

CREATE INDEX organizations_with_auto_clock_out ON organizations (organization_id, auto_clock_out_seconds)
  WHERE auto_clock_out_seconds IS NOT NULL;

-- Who is clocked in, whoever has been for longest first. Holds active entries only, however many there are in all.
CREATE INDEX time_entries_active_by_start ON time_entries (organization_id, clock_in, id) WHERE clock_out IS NULL;

-- API tokens that only read, for payroll programs and dashboards.

ALTER TABLE tokens ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0
  CONSTRAINT tokens_read_only CHECK (read_only IN (0, 1));

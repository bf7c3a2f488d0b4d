-- API tokens that only read, for payroll programs and dashboards.

ALTER TABLE tokens ADD COLUMN read_only BOOLEAN NOT NULL DEFAULT false;

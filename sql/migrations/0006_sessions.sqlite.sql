-- Lists of sessions, oldest date first. Within a date an index is in the order of the rows anyhow.

CREATE INDEX sessions_by_date ON sessions (organization_id, date);

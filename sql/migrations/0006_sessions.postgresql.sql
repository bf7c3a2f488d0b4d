-- Lists of sessions, oldest date first.

CREATE INDEX sessions_by_date ON sessions (organization_id, date, session_id);

-- The yardsticks' table, in the order in which the service keeps its own: members' entries lie together.
CREATE TABLE time_entries (
  id TEXT NOT NULL, organization_id INTEGER NOT NULL, user_id INTEGER NOT NULL, clock_in TEXT NOT NULL, clock_out TEXT,
  date TEXT NOT NULL, status TEXT NOT NULL, session_id TEXT, notes TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  PRIMARY KEY (organization_id, user_id, date, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX active ON time_entries (organization_id, user_id) WHERE status = 'clocked-in';
CREATE UNIQUE INDEX by_id ON time_entries (id);
CREATE INDEX by_date ON time_entries (organization_id, date, created_at);

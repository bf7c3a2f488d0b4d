-- Addresses of programs to which changes are sent, with the place that each has reached in the log of changes.

CREATE TABLE webhooks (
  -- Out of row_numbers: grows in the order of making, which is the order of the list, and is never given twice.
  webhook_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT webhooks_id_length CHECK (length(id) = 16),
  url TEXT NOT NULL CONSTRAINT webhooks_url_length CHECK (length(url) BETWEEN 1 AND 2048),
  -- The kinds of resources whose changes are sent, between commas; null means all.
  resources TEXT,
  enabled INTEGER NOT NULL CONSTRAINT webhooks_enabled CHECK (enabled IN (0, 1)),
  -- The key of the signatures. No log has it.
  secret BLOB NOT NULL CONSTRAINT webhooks_secret_length CHECK (length(secret) BETWEEN 24 AND 64),
  version INTEGER NOT NULL CONSTRAINT webhooks_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX webhooks_by_id ON webhooks (organization_id, id);
CREATE UNIQUE INDEX webhooks_by_number ON webhooks (organization_id, webhook_id);

-- The places. Copies of the database lack them, so that nothing is sent twice.
CREATE TABLE webhook_cursors (
  organization_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  -- The sequence number of the last change that has been sent, or was none of the webhook's.
  position INTEGER NOT NULL,
  -- The attempts in a row that have failed, and the time of the first of them.
  failures INTEGER NOT NULL,
  failing_since INTEGER,
  -- The time of the next attempt. A program that makes one puts it off first, so that no other does the same.
  due_at INTEGER NOT NULL,
  CONSTRAINT webhook_cursors_key PRIMARY KEY (organization_id, webhook_id),
  CONSTRAINT webhook_cursors_webhook FOREIGN KEY (organization_id, webhook_id)
    REFERENCES webhooks (organization_id, webhook_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_cursors_by_due_at ON webhook_cursors (due_at);

-- The attempts of the last 30 days.
CREATE TABLE webhook_attempts (
  webhook_attempt_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  -- The sequence number of the change; null for a ping.
  sequence INTEGER,
  time INTEGER NOT NULL,
  -- The status of the answer; null where none came.
  status INTEGER,
  error TEXT,
  milliseconds INTEGER NOT NULL,
  CONSTRAINT webhook_attempts_webhook FOREIGN KEY (organization_id, webhook_id)
    REFERENCES webhooks (organization_id, webhook_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX webhook_attempts_of_webhook ON webhook_attempts (organization_id, webhook_id, webhook_attempt_id);
CREATE INDEX webhook_attempts_by_time ON webhook_attempts (time);

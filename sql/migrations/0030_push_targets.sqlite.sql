-- Places on members' phones to which messages go: Live Activities, and the apps themselves. They are nobody else's: no log,
-- report or list of an organization shows them.

CREATE TABLE push_targets (
  -- Out of row_numbers: grows in the order of making, which is the order of the list.
  push_target_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT push_targets_id_length CHECK (length(id) = 16),
  -- The token of the request that made it, with which it goes.
  token_id INTEGER NOT NULL CONSTRAINT push_targets_token REFERENCES tokens ON DELETE CASCADE,
  kind TEXT NOT NULL CONSTRAINT push_targets_kind CHECK (kind IN ('liveActivity', 'pushToStart', 'alert')),
  form TEXT CONSTRAINT push_targets_form CHECK (form IN ('task', 'work', 'focus', 'rest', 'routine')),
  -- What the phone is called. Whoever has it, and the app's key, can send to the phone.
  token BLOB NOT NULL CONSTRAINT push_targets_token_length CHECK (length(token) BETWEEN 8 AND 200),
  topic TEXT NOT NULL CONSTRAINT push_targets_topic_length CHECK (length(topic) BETWEEN 1 AND 155),
  environment TEXT NOT NULL
    CONSTRAINT push_targets_environment CHECK (environment IN ('production', 'sandbox')),
  dates TEXT NOT NULL CONSTRAINT push_targets_dates CHECK (dates IN ('reference', 'unix', 'iso8601')),
  attributes_type TEXT
    CONSTRAINT push_targets_attributes_type_length CHECK (length(attributes_type) BETWEEN 1 AND 100),
  created_at INTEGER NOT NULL,
  -- Null for what ends with the token alone.
  expires_at INTEGER,
  -- What it knows: the activity, and what was sent of it last.
  activity TEXT,
  state_tag TEXT,
  tag TEXT,
  content TEXT,
  sent_at INTEGER,
  -- Messages on a day of UTC, counted from 1970.
  sent_day INTEGER NOT NULL,
  sent_count INTEGER NOT NULL,
  -- The attempts in a row that have failed.
  failures INTEGER NOT NULL,
  -- The time before which nobody sends, and at which somebody looks. A program that makes an attempt puts it off first, so
  -- that no other does the same.
  due_at INTEGER,
  -- Counts how often it was written.
  moves INTEGER NOT NULL,
  CONSTRAINT push_targets_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id),
  CONSTRAINT push_targets_form_of_kind CHECK ((kind = 'alert') = (form IS NULL))
) STRICT;

CREATE UNIQUE INDEX push_targets_by_id ON push_targets (organization_id, id);
CREATE UNIQUE INDEX push_targets_by_token ON push_targets (organization_id, token);
CREATE UNIQUE INDEX push_targets_by_number ON push_targets (organization_id, push_target_id);
CREATE INDEX push_targets_of_member ON push_targets (organization_id, user_id, push_target_id);
-- What goes with a token.
CREATE INDEX push_targets_of_token ON push_targets (token_id);
-- What the service looks for.
CREATE INDEX push_targets_by_due_at ON push_targets (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX push_targets_by_expires_at ON push_targets (expires_at) WHERE expires_at IS NOT NULL;

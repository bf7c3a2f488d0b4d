-- The epoch of the log of changes: sequence numbers of two epochs may stand for different changes, so a reader who has kept a
-- number of another epoch reads everything again.

CREATE TABLE log_epoch (
  log_epoch_id BIGINT NOT NULL CONSTRAINT log_epoch_pkey PRIMARY KEY
    CONSTRAINT log_epoch_one_row CHECK (log_epoch_id = 1),
  epoch TEXT CONSTRAINT log_epoch_digits CHECK (epoch ~ '^[0-9a-f]{16}$'),
  -- The cluster, its timeline and the database that the epoch was given in. A start that finds another place, because the
  -- database was restored, gives another epoch.
  place TEXT
);

INSERT INTO log_epoch (log_epoch_id) VALUES (1);

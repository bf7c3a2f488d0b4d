-- The epoch of the log of changes: sequence numbers of two epochs may stand for different changes, so a reader who has kept a
-- number of another epoch reads everything again. Null in a back-up: the next start gives it another one, so does a start behind
-- this migration.

CREATE TABLE log_epoch (
  log_epoch_id INTEGER NOT NULL PRIMARY KEY CONSTRAINT log_epoch_one_row CHECK (log_epoch_id = 1),
  epoch TEXT CONSTRAINT log_epoch_digits CHECK (length(epoch) = 16 AND epoch NOT GLOB '*[^0-9a-f]*'),
  -- What PostgreSQL tells databases apart by.
  place TEXT
) STRICT;

INSERT INTO log_epoch (log_epoch_id) VALUES (1);

-- Passwords that an admin has chosen, and that are good for nothing but a change to the person's own.

ALTER TABLE users ADD COLUMN one_time_password INTEGER NOT NULL DEFAULT 0
  CONSTRAINT users_one_time_password CHECK (one_time_password IN (0, 1));

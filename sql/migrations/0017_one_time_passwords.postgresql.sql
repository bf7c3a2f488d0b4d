-- Passwords that an admin has chosen, and that are good for nothing but a change to the person's own.

ALTER TABLE users ADD COLUMN one_time_password BOOLEAN NOT NULL DEFAULT false;

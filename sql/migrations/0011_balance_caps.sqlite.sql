-- The most and the least, in seconds, that accounts may be once time is locked; null for no cap.
ALTER TABLE organizations ADD COLUMN balance_cap_above INTEGER
  CONSTRAINT organizations_balance_cap_above CHECK (balance_cap_above BETWEEN 0 AND 36000000);
ALTER TABLE organizations ADD COLUMN balance_cap_below INTEGER
  CONSTRAINT organizations_balance_cap_below CHECK (balance_cap_below BETWEEN -36000000 AND 0);

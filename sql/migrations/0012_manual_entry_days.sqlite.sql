-- How far back members may enter time by hand, or move entries to.

-- In days; null for as far as they like.
ALTER TABLE organizations ADD COLUMN manual_entry_days INTEGER
  CONSTRAINT organizations_manual_entry_days CHECK (manual_entry_days BETWEEN 0 AND 3650);

-- Whom managers see, and act for.
ALTER TABLE organizations ADD COLUMN managers_see TEXT NOT NULL DEFAULT 'everyone'
  CONSTRAINT organizations_managers_see CHECK (managers_see IN ('everyone', 'ownGroups'));

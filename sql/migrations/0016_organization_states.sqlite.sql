-- Organizations that the operator has closed to everybody, and those that are deleted.
--
-- A deleted one's row stays, without a name, so that its number is never given to another one.
ALTER TABLE organizations ADD COLUMN state TEXT NOT NULL DEFAULT 'active'
  CONSTRAINT organizations_state CHECK (state IN ('active', 'deactivated', 'deleting', 'deleted'));

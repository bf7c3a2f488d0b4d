-- Whether members make projects and tasks of their own.

ALTER TABLE organizations ADD COLUMN members_may_create_projects INTEGER NOT NULL DEFAULT 1
  CONSTRAINT organizations_members_may_create_projects CHECK (members_may_create_projects IN (0, 1));

-- Whether members make projects and tasks of their own.

ALTER TABLE organizations ADD COLUMN members_may_create_projects BOOLEAN NOT NULL DEFAULT true;

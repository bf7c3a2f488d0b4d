-- Whether who clocks in has to say what for, and whether members enter times by hand.

ALTER TABLE organizations ADD COLUMN project_required INTEGER NOT NULL DEFAULT 0
  CONSTRAINT organizations_project_required CHECK (project_required IN (0, 1));
ALTER TABLE organizations ADD COLUMN members_may_enter_times INTEGER NOT NULL DEFAULT 1
  CONSTRAINT organizations_members_may_enter_times CHECK (members_may_enter_times IN (0, 1));

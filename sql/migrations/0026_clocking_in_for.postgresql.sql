-- Whether who clocks in has to say what for, and whether members enter times by hand.

ALTER TABLE organizations ADD COLUMN project_required BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE organizations ADD COLUMN members_may_enter_times BOOLEAN NOT NULL DEFAULT true;

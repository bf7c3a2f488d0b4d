-- The numbers under which payroll programs know members.

ALTER TABLE members ADD COLUMN personnel_number TEXT
  CONSTRAINT members_personnel_number CHECK (length(personnel_number) BETWEEN 1 AND 64);

-- Unique in the organization, deactivated members included.
CREATE UNIQUE INDEX members_by_personnel_number ON members (organization_id, personnel_number)
  WHERE personnel_number IS NOT NULL;

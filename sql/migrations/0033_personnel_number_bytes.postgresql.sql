-- Personnel numbers are compared byte by byte, as e-mail addresses are: in the database's collation an index is out of order
-- once the system's rules for the language change, and then takes a number twice.
DROP INDEX members_by_personnel_number;
CREATE UNIQUE INDEX members_by_personnel_number ON members (organization_id, personnel_number COLLATE "C")
  WHERE personnel_number IS NOT NULL;

-- Organizations that are moving to another cell, with the address of those that have moved: nothing else of them is served here.
-- docs/decisions/0051-moving-organizations.md has the reasons.
-- On SQLite there are none: only databases of PostgreSQL are cells.
CREATE TABLE organization_departures (
  organization_id INTEGER NOT NULL CONSTRAINT organization_departures_pkey PRIMARY KEY
    CONSTRAINT organization_departures_organization REFERENCES organizations,
  target TEXT NOT NULL,
  address TEXT
) STRICT;

-- What members work for: projects of the organization, and of single members.

CREATE TABLE projects (
  -- Out of row_numbers: grows in the order of making, which is the order of the list, and is never given twice.
  project_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT projects_id_length CHECK (length(id) = 16),
  -- The member to whom it belongs; null means the organization.
  owner_id INTEGER,
  name TEXT NOT NULL CONSTRAINT projects_name_length CHECK (length(name) BETWEEN 1 AND 200),
  client TEXT CONSTRAINT projects_client_length CHECK (length(client) BETWEEN 1 AND 200),
  color TEXT NOT NULL
    CONSTRAINT projects_color CHECK (color GLOB '#[0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F]'),
  archived INTEGER NOT NULL CONSTRAINT projects_archived CHECK (archived IN (0, 1)),
  billable INTEGER NOT NULL CONSTRAINT projects_billable CHECK (billable IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT projects_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT projects_owner FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX projects_by_id ON projects (organization_id, id);
CREATE UNIQUE INDEX projects_by_number ON projects (organization_id, project_id);
CREATE INDEX projects_of_owner ON projects (organization_id, owner_id, project_id) WHERE owner_id IS NOT NULL;

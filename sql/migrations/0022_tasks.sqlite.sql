-- Pieces of work, of a project or of none: the organization's, and members' own.

CREATE TABLE tasks (
  -- Out of row_numbers: grows in the order of making, which is the order of the list, and is never given twice.
  task_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT tasks_id_length CHECK (length(id) = 16),
  -- The member to whom it belongs; null means the organization.
  owner_id INTEGER,
  project_id INTEGER,
  name TEXT NOT NULL CONSTRAINT tasks_name_length CHECK (length(name) BETWEEN 1 AND 100),
  hidden INTEGER NOT NULL CONSTRAINT tasks_hidden CHECK (hidden IN (0, 1)),
  version INTEGER NOT NULL CONSTRAINT tasks_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT tasks_owner FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT tasks_project FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, project_id)
) STRICT;

CREATE UNIQUE INDEX tasks_by_id ON tasks (organization_id, id);
CREATE UNIQUE INDEX tasks_by_number ON tasks (organization_id, task_id);
CREATE INDEX tasks_of_owner ON tasks (organization_id, owner_id, task_id) WHERE owner_id IS NOT NULL;
CREATE INDEX tasks_of_project ON tasks (organization_id, project_id, task_id) WHERE project_id IS NOT NULL;

-- Members who belong together, such as a department, with those who manage them and those who speak for them.
CREATE TABLE groups (
  group_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT groups_id_length CHECK (length(id) = 16),
  name TEXT NOT NULL,
  version INTEGER NOT NULL CONSTRAINT groups_version CHECK (version BETWEEN 1 AND 9007199254740991),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX groups_by_id ON groups (organization_id, id);
CREATE UNIQUE INDEX groups_by_number ON groups (organization_id, group_id);

CREATE TABLE group_people (
  organization_id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  part TEXT NOT NULL CONSTRAINT group_people_part CHECK (part IN ('manager', 'member', 'representative')),
  user_id INTEGER NOT NULL,
  PRIMARY KEY (organization_id, group_id, part, user_id),
  CONSTRAINT group_people_group FOREIGN KEY (organization_id, group_id)
    REFERENCES groups (organization_id, group_id) ON DELETE CASCADE,
  CONSTRAINT group_people_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX group_people_by_user ON group_people (organization_id, user_id, part);

-- Links by which an admin lets a member choose their own password. A row goes with its use.

CREATE TABLE invitations (
  -- Out of row_numbers: grows in the order of making, which is the order of the list.
  invitation_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  id BLOB NOT NULL CONSTRAINT invitations_id_length CHECK (length(id) = 16),
  user_id INTEGER NOT NULL,
  -- SHA-256; the token itself is never kept.
  digest BLOB NOT NULL CONSTRAINT invitations_digest_length CHECK (length(digest) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
) STRICT;

CREATE UNIQUE INDEX invitations_by_id ON invitations (organization_id, id);
CREATE UNIQUE INDEX invitations_by_number ON invitations (organization_id, invitation_id);
CREATE UNIQUE INDEX invitations_by_digest ON invitations (digest);
-- A member has one at a time.
CREATE UNIQUE INDEX invitations_of_member ON invitations (organization_id, user_id);
CREATE INDEX invitations_of_user ON invitations (user_id);

-- Who changed what: the log of changes, which is the audit log and the feed of changes in one.
--
-- A change is written in the transaction that makes it, and nothing ever updates or deletes one (the erasing of
-- personal data apart, which leaves the seal). docs/decisions/0008-changes.md has the reasons.

CREATE TABLE changes (
  -- Out of row_numbers.
  change_number INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  time INTEGER NOT NULL,
  -- Public ids: what is logged stays readable whatever becomes of the rows.
  author_means TEXT NOT NULL
    CONSTRAINT changes_author_means CHECK (author_means IN ('log-in', 'api-token', 'operator', 'service')),
  author_id BLOB CONSTRAINT changes_author_id_length CHECK (length(author_id) = 16),
  author_token_id BLOB CONSTRAINT changes_author_token_id_length CHECK (length(author_token_id) = 16),
  request_id BLOB CONSTRAINT changes_request_id_length CHECK (length(request_id) = 16),
  operation TEXT NOT NULL,
  kind TEXT NOT NULL CONSTRAINT changes_kind CHECK (kind IN ('created', 'updated', 'deleted')),
  resource TEXT NOT NULL,
  resource_id BLOB NOT NULL CONSTRAINT changes_resource_id_length CHECK (length(resource_id) = 16),
  -- The resource before and after, as JSON.
  before TEXT,
  after TEXT,
  reason TEXT,
  -- Null once the content has been erased.
  salt BLOB CONSTRAINT changes_salt_length CHECK (length(salt) = 16),
  CONSTRAINT changes_content CHECK (salt IS NOT NULL OR (before IS NULL AND after IS NULL AND reason IS NULL))
) STRICT;

-- Ids grow with time, so that most rows go to the index's end.
CREATE INDEX changes_of_resource ON changes (organization_id, resource_id, change_number);

-- The chain of hashes. The writer seals a change where it makes it.
CREATE TABLE change_seals (
  organization_id INTEGER NOT NULL REFERENCES organizations,
  -- From 1 on without gaps, in the order of the commits.
  sequence INTEGER NOT NULL CONSTRAINT change_seals_sequence CHECK (sequence BETWEEN 1 AND 9007199254740991),
  change_number INTEGER NOT NULL REFERENCES changes,
  content_digest BLOB NOT NULL CONSTRAINT change_seals_content_digest_length CHECK (length(content_digest) = 32),
  hash BLOB NOT NULL CONSTRAINT change_seals_hash_length CHECK (length(hash) = 32),
  PRIMARY KEY (organization_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX change_seals_by_change ON change_seals (organization_id, change_number);

CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes BEGIN SELECT raise(ABORT, 'changes_are_kept'); END;

CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
WHEN NEW.salt IS NOT NULL OR NEW.change_number <> OLD.change_number OR NEW.organization_id <> OLD.organization_id
  OR NEW.time <> OLD.time OR NEW.author_means <> OLD.author_means OR NEW.author_id IS NOT OLD.author_id
  OR NEW.author_token_id IS NOT OLD.author_token_id OR NEW.request_id IS NOT OLD.request_id
  OR NEW.operation <> OLD.operation OR NEW.kind <> OLD.kind OR NEW.resource <> OLD.resource
  OR NEW.resource_id <> OLD.resource_id
BEGIN SELECT raise(ABORT, 'changes_stay'); END;

CREATE TRIGGER change_seals_are_kept BEFORE DELETE ON change_seals
BEGIN SELECT raise(ABORT, 'change_seals_are_kept'); END;

CREATE TRIGGER change_seals_stay BEFORE UPDATE ON change_seals
BEGIN SELECT raise(ABORT, 'change_seals_stay'); END;

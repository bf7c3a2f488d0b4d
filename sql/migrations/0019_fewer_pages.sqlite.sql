-- Fewer b-trees under each write: what a write costs is mostly the number of pages that it touches
-- (docs/decisions/0003-sqlite-layout.md has the figures).
--
-- Who is clocked in was kept in three indexes, each written by every clock-in and clock-out. The unique one is left: an
-- organization has at most one active entry a member, and these are few enough to be looked through. Seals were kept in
-- the order of each organization's chain, with an index of the changes: two places of their own for each change. In the
-- order of the changes, as here, the seals of all organizations grow at one end, a few dozen a page.

DROP INDEX time_entries_active_by_start;
DROP INDEX time_entries_longer_than_a_day;

-- Closed entries that last longer than a day, which are rare.
CREATE INDEX time_entries_longer_than_a_day ON time_entries (organization_id, clock_in)
  WHERE clock_out - clock_in > 86400000;

CREATE TABLE seals_by_change (
  change_number INTEGER PRIMARY KEY REFERENCES changes,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  -- From 1 on without gaps, in the order of the commits.
  sequence INTEGER NOT NULL CONSTRAINT change_seals_sequence CHECK (sequence BETWEEN 1 AND 9007199254740991),
  content_digest BLOB NOT NULL CONSTRAINT change_seals_content_digest_length CHECK (length(content_digest) = 32),
  hash BLOB NOT NULL CONSTRAINT change_seals_hash_length CHECK (length(hash) = 32)
) STRICT;

-- In the order of the new table, with nothing to sort: that would take space outside of the database's folder. The places
-- where each organization's chain goes on stay in memory, up to 64 MB.
PRAGMA cache_size = -65536;
INSERT INTO seals_by_change (change_number, organization_id, sequence, content_digest, hash)
SELECT c.change_number, s.organization_id, s.sequence, s.content_digest, s.hash
FROM changes c NOT INDEXED CROSS JOIN change_seals s INDEXED BY change_seals_by_change
  ON s.organization_id = c.organization_id AND s.change_number = c.change_number;

PRAGMA cache_size = -8192;

-- A seal holds digests and nothing of a person: its old pages need not be overwritten, and are used again.
PRAGMA secure_delete = OFF;
DROP TABLE change_seals;
PRAGMA secure_delete = ON;

-- The views of sql/reporting name the table, which is away for a moment: without this, they would forbid the renaming.
PRAGMA legacy_alter_table = ON;
ALTER TABLE seals_by_change RENAME TO change_seals;
PRAGMA legacy_alter_table = OFF;

CREATE UNIQUE INDEX change_seals_in_order ON change_seals (organization_id, sequence);

CREATE TRIGGER change_seals_are_kept BEFORE DELETE ON change_seals
BEGIN SELECT raise(ABORT, 'change_seals_are_kept'); END;

CREATE TRIGGER change_seals_stay BEFORE UPDATE ON change_seals
BEGIN SELECT raise(ABORT, 'change_seals_stay'); END;

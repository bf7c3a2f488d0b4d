-- The reads of members' time by somebody who represents them. A row is never changed, and stays as long as its organization.
CREATE TABLE record_reads (
  -- Out of row_numbers: the order of the list.
  record_read_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL REFERENCES organizations,
  id BLOB NOT NULL CONSTRAINT record_reads_id_length CHECK (length(id) = 16),
  -- Milliseconds since 1970.
  time INTEGER NOT NULL,
  -- Public ids, and a name as it was: what is on record stays readable whatever becomes of the group.
  reader_id BLOB NOT NULL CONSTRAINT record_reads_reader_id_length CHECK (length(reader_id) = 16),
  group_id BLOB NOT NULL CONSTRAINT record_reads_group_id_length CHECK (length(group_id) = 16),
  group_name TEXT NOT NULL,
  operation TEXT NOT NULL CONSTRAINT record_reads_operation CHECK (operation IN
    ('listTimeEntries', 'exportTimeEntries', 'reportHours', 'reportBalance')),
  -- The public id of the only member that was asked for.
  user_id BLOB CONSTRAINT record_reads_user_id_length CHECK (length(user_id) = 16),
  -- Days since 1970; null for an open end.
  start_date INTEGER,
  end_date INTEGER
) STRICT;

CREATE UNIQUE INDEX record_reads_by_id ON record_reads (organization_id, id);
CREATE UNIQUE INDEX record_reads_by_number ON record_reads (organization_id, record_read_id);
CREATE INDEX record_reads_of_reader ON record_reads (organization_id, reader_id, record_read_id);
CREATE INDEX record_reads_of_group ON record_reads (organization_id, group_id, record_read_id);

-- The members whose time was read: those of the group at that moment.
CREATE TABLE record_read_people (
  organization_id INTEGER NOT NULL,
  record_read_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (organization_id, record_read_id, user_id),
  CONSTRAINT record_read_people_read FOREIGN KEY (organization_id, record_read_id)
    REFERENCES record_reads (organization_id, record_read_id),
  CONSTRAINT record_read_people_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_read_people_by_user ON record_read_people (organization_id, user_id, record_read_id);

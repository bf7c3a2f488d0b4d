-- What the CHECKs of changes and time_entries allow is compared word by word: for a list of more than two words after IN, SQLite
-- makes a table in memory at each write, and drops it (three for a clock-in, two for a clock-out).
--
-- The same rows are allowed as before, so only the text of the tables changes, in the way of sqlite.org/lang_altertable.html,
-- section 7: no row is read or written, and it takes the same time for any number of entries. A connection that has read the
-- tables before loses nothing by its older text.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(replace(sql,
  'CHECK (author_means IN (''log-in'', ''api-token'', ''operator'', ''service''))',
  'CHECK (author_means = ''api-token'' OR author_means = ''log-in'' OR author_means = ''operator'' OR author_means = ''service'')'),
  'CHECK (kind IN (''created'', ''updated'', ''deleted''))',
  'CHECK (kind = ''created'' OR kind = ''updated'' OR kind = ''deleted'')')
WHERE type = 'table' AND name = 'changes';

UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (source IN (''api'', ''web'', ''kiosk'', ''import'', ''admin'', ''auto''))',
  'CHECK (source = ''api'' OR source = ''web'' OR source = ''kiosk'' OR source = ''import'' OR source = ''admin'' OR source = ''auto'')')
WHERE type = 'table' AND name = 'time_entries';

-- Reads the tables anew, also in this connection.
PRAGMA writable_schema = RESET;

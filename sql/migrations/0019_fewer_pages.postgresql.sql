-- On SQLite this merges indexes and puts seals in the order of their changes. PostgreSQL's tables are in no order, and its
-- log holds what changed in a page and not the page: nothing to change but the words.

COMMENT ON TABLE change_seals IS 'The chain of hashes';

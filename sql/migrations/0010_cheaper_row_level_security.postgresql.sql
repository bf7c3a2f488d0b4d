-- The same wall as 0009, for less: most statements touch a row or two of several tables, and a query of its own for the
-- setting, twice for every table, cost such a statement more than its work
-- (docs/decisions/0015-row-level-security.md has the figures).

DO $$
DECLARE
  organizations_rows TEXT;
  -- Asks for the setting at every row. Whether there is a value is estimated to be true of nearly every row, where a
  -- comparison with a value that is not known would change the plans.
  row_by_row CONSTANT TEXT := '(CASE current_setting(''timeclock.organization'', true)
    WHEN organization_id::text THEN true WHEN ''everyone'' THEN true END) IS NOT NULL';
BEGIN
  FOREACH organizations_rows IN ARRAY ARRAY['organizations', 'members', 'tokens', 'sessions', 'session_assignees',
    'changes', 'unsealed_changes', 'change_seals']
  LOOP
    EXECUTE format('ALTER POLICY %1$s_of_organization ON %1$s USING (%2$s)', organizations_rows, row_by_row);
  END LOOP;
  -- Reports read very many of these, and go on asking once a statement. Entries that are written are few.
  EXECUTE format('ALTER POLICY time_entries_of_organization ON time_entries WITH CHECK (%s)', row_by_row);
END $$;

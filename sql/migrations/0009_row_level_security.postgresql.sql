-- A second wall between organizations: a statement sees and writes the rows of the organization that its transaction
-- has named, also where the statement's own condition was forgotten.
--
-- docs/decisions/0015-row-level-security.md has the reasons, and what is not behind the wall. The transaction says
-- whose rows it is about by the setting timeclock.organization: an organization's number, or 'everyone'. Where nothing
-- is set there are no rows.

-- The organization that the transaction has named; null where it has named none, or everyone.
CREATE FUNCTION timeclock_organization() RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(nullif(current_setting('timeclock.organization', true), ''), 'everyone')::bigint
$$;

-- True where the transaction has named everyone, else null.
CREATE FUNCTION timeclock_everyone() RETURNS BOOLEAN LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('timeclock.organization', true) = 'everyone', false)
$$;

DO $$
DECLARE
  organizations_rows TEXT;
BEGIN
  FOREACH organizations_rows IN ARRAY ARRAY['organizations', 'members', 'tokens', 'sessions', 'session_assignees',
    'time_entries', 'changes', 'unsealed_changes', 'change_seals']
  LOOP
    -- Each setting is asked for once by a statement, as a query of its own. Whether there is one is estimated to be
    -- true of nearly every row, where a condition on a value that is not known would change the plans.
    EXECUTE format('CREATE POLICY %1$s_of_organization ON %1$s USING (organization_id = (SELECT timeclock_organization())
      OR (SELECT timeclock_everyone()) IS NOT NULL)', organizations_rows);
    -- The tables' owner too, who is the service's own role.
    EXECUTE format('ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', organizations_rows);
  END LOOP;
END $$;

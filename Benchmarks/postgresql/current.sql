-- Reads a member's active entry.
-- The service's own statement (Sources/PostgreSQLStorage/TimeEntries/TimeEntryRows.swift), with pgbench's variables for its parameters.
\set organization 1
\set member :first + :client_id * :each + random(0, :each - 1)
SELECT e.date, e.created_at, e.entry_number, e.id, (SELECT u.id FROM users u WHERE u.user_id = e.user_id), (SELECT
o.id FROM organizations o WHERE o.organization_id = e.organization_id), e.clock_in, e.clock_out, e.time_zone,
e.offset_seconds, (SELECT s.id FROM sessions s WHERE s.organization_id = e.organization_id AND s.session_id =
e.session_id), e.notes, e.source, e.flags, e.version, e.updated_at FROM time_entries e WHERE e.organization_id =
:organization::bigint AND e.user_id = :member::bigint AND e.clock_out IS NULL;

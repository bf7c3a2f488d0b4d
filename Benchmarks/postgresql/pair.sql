-- A member clocks in, then out.
-- The service's own statement (Sources/PostgreSQLStorage/TimeEntryWrites.swift), with pgbench's variables for its parameters.
\set organization 1
\set member :first + :client_id * :each + random(0, :each - 1)
\set random random(0, 1000000000000)
WITH member AS MATERIALIZED ( SELECT active FROM members WHERE organization_id = :organization::bigint AND user_id =
:member::bigint FOR NO KEY UPDATE), session AS MATERIALIZED ( SELECT s.session_id, EXISTS (SELECT 1 FROM
session_assignees a WHERE a.organization_id = s.organization_id AND a.session_id = s.session_id AND a.user_id =
:member::bigint) AS is_assigned FROM sessions s WHERE s.organization_id = :organization::bigint AND s.id =
NULL::uuid), inserted AS ( INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in,
clock_out, time_zone, offset_seconds, session_id, notes, source, flags, version, updated_at) SELECT
:organization::bigint, :member::bigint, floor(extract(epoch FROM clock_timestamp())/86400)::bigint, (extract(epoch
FROM clock_timestamp())*1000)::bigint, (lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid, (extract(epoch
FROM clock_timestamp())*1000)::bigint, NULL::bigint, 'Europe/Berlin', 3600::bigint, (SELECT session_id FROM session),
NULL::text, 'api', 0::bigint, 1::bigint, (extract(epoch FROM clock_timestamp())*1000)::bigint FROM member WHERE
member.active AND (NULL::uuid IS NULL OR EXISTS (SELECT 1 FROM session WHERE is_assigned OR NOT FALSE)) ON CONFLICT DO
NOTHING RETURNING 1) SELECT coalesce((SELECT active FROM member), FALSE), EXISTS (SELECT 1 FROM session),
coalesce((SELECT is_assigned FROM session), FALSE), (SELECT count(*) FROM inserted);
WITH member AS MATERIALIZED ( SELECT user_id FROM members WHERE organization_id = :organization::bigint AND user_id =
:member::bigint FOR NO KEY UPDATE) UPDATE time_entries e SET clock_out = greatest((extract(epoch FROM
clock_timestamp())*1000)::bigint, e.clock_in + 1), notes = CASE WHEN FALSE THEN NULL::text ELSE e.notes END, flags =
e.flags | CASE WHEN greatest((extract(epoch FROM clock_timestamp())*1000)::bigint, e.clock_in + 1) - e.clock_in <
60::bigint * 1000 THEN 1 WHEN greatest((extract(epoch FROM clock_timestamp())*1000)::bigint, e.clock_in + 1) -
e.clock_in > 57600::bigint * 1000 THEN 2 ELSE 0 END, version = e.version + 1, updated_at = (extract(epoch FROM
clock_timestamp())*1000)::bigint FROM member WHERE e.organization_id = :organization::bigint AND e.user_id =
:member::bigint AND e.clock_out IS NULL AND ((extract(epoch FROM clock_timestamp())*1000)::bigint > e.clock_in OR NOT
FALSE) RETURNING e.date, e.created_at, e.entry_number, e.id, (SELECT u.id FROM users u WHERE u.user_id = e.user_id),
(SELECT o.id FROM organizations o WHERE o.organization_id = e.organization_id), e.clock_in, e.clock_out, e.time_zone,
e.offset_seconds, (SELECT s.id FROM sessions s WHERE s.organization_id = e.organization_id AND s.session_id =
e.session_id), e.notes, e.source, e.flags, e.version, e.updated_at;

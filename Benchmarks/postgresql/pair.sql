-- A member clocks in, then out; each is logged.
-- The service's own statements (Sources/PostgreSQLStorage/TimeEntries/TimeEntryWrites.swift), with pgbench's variables for its parameters.
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
NOTHING RETURNING 1), logged AS ( INSERT INTO changes (organization_id, time, author_means, author_id,
author_token_id, request_id, operation, reason, salt, kind, resource, resource_id, before, after) SELECT
:organization::bigint, (extract(epoch FROM clock_timestamp())*1000)::bigint, 'api-token', (lpad(to_hex((extract(epoch
FROM clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid,
(lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid,
(lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid, 'clockIn', NULL,
'\x000102030405060708090a0b0c0d0e0f'::bytea, 'created', 'timeEntry', (lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid, NULL, '{"id" :
"01a1fd86-77f9-77ef-9815-ca86fe6c9d02","userId" : "01a1fd86-77ec-7366-9dce-8ed1eff88d8b","organizationID" :
"01a1fd86-77ec-7365-9c0e-06928ef82722","clockInTime" : 1795165200123,"date" : 20777,"timeZone" :
"Europe/Berlin","offsetSeconds" : 3600,"source" : "api","flags" : 0,"version" : 1,"createdAt" :
1795165200123,"updatedAt" : 1795165200123}' FROM inserted RETURNING change_number), queued AS ( INSERT INTO
unsealed_changes (organization_id, change_number) SELECT :organization::bigint, change_number FROM logged) SELECT
coalesce((SELECT active FROM member), FALSE), EXISTS (SELECT 1 FROM session), coalesce((SELECT is_assigned FROM
session), FALSE), (SELECT count(*) FROM inserted);
WITH member AS MATERIALIZED ( SELECT user_id FROM members WHERE organization_id = :organization::bigint AND user_id =
:member::bigint FOR NO KEY UPDATE), active AS MATERIALIZED ( SELECT e.*, (SELECT u.id FROM users u WHERE u.user_id =
e.user_id) AS users_id, (SELECT o.id FROM organizations o WHERE o.organization_id = e.organization_id) AS
organizations_id, (SELECT s.id FROM sessions s WHERE s.organization_id = e.organization_id AND s.session_id =
e.session_id) AS sessions_id FROM time_entries e CROSS JOIN member WHERE e.organization_id = :organization::bigint AND
e.user_id = :member::bigint AND e.clock_out IS NULL FOR NO KEY UPDATE OF e), closed AS ( UPDATE time_entries e SET clock_out =
greatest((extract(epoch FROM clock_timestamp())*1000)::bigint, e.clock_in + 1), notes = CASE WHEN FALSE THEN
NULL::text ELSE e.notes END, flags = e.flags | CASE WHEN greatest((extract(epoch FROM
clock_timestamp())*1000)::bigint, e.clock_in + 1) - e.clock_in < 60::bigint * 1000 THEN 1 WHEN greatest((extract(epoch
FROM clock_timestamp())*1000)::bigint, e.clock_in + 1) - e.clock_in > 57600::bigint * 1000 THEN 2 ELSE 0 END, version
= e.version + 1, updated_at = (extract(epoch FROM clock_timestamp())*1000)::bigint FROM active a WHERE
e.organization_id = :organization::bigint AND e.user_id = :member::bigint AND e.clock_out IS NULL AND e.entry_number =
a.entry_number AND ((extract(epoch FROM clock_timestamp())*1000)::bigint > e.clock_in OR NOT FALSE) RETURNING e.*),
logged AS ( INSERT INTO changes (organization_id, time, author_means, author_id, author_token_id, request_id,
operation, reason, salt, kind, resource, resource_id, before, after) SELECT :organization::bigint, (extract(epoch FROM
clock_timestamp())*1000)::bigint, 'api-token', (lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid,
(lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid,
(lpad(to_hex((extract(epoch FROM
clock_timestamp())*1000)::bigint),12,'0')||'70008000'||lpad(to_hex(:random::bigint),12,'0'))::uuid, 'clockOut', NULL,
'\x000102030405060708090a0b0c0d0e0f'::bytea, 'updated', 'timeEntry', e.id, json_build_object('id', a.id, 'userId',
a.users_id, 'organizationID', a.organizations_id, 'clockInTime', a.clock_in, 'clockOutTime', a.clock_out, 'date',
a.date, 'timeZone', a.time_zone, 'offsetSeconds', a.offset_seconds, 'sessionId', a.sessions_id, 'notes', a.notes,
'source', a.source, 'flags', a.flags, 'version', a.version, 'createdAt', a.created_at, 'updatedAt',
a.updated_at)::text, json_build_object('id', e.id, 'userId', a.users_id, 'organizationID', a.organizations_id,
'clockInTime', e.clock_in, 'clockOutTime', e.clock_out, 'date', e.date, 'timeZone', e.time_zone, 'offsetSeconds',
e.offset_seconds, 'sessionId', a.sessions_id, 'notes', e.notes, 'source', e.source, 'flags', e.flags, 'version',
e.version, 'createdAt', e.created_at, 'updatedAt', e.updated_at)::text FROM active a, closed e RETURNING
change_number), queued AS ( INSERT INTO unsealed_changes (organization_id, change_number) SELECT
:organization::bigint, change_number FROM logged) SELECT e.date, e.created_at, e.entry_number, e.id, a.users_id,
a.organizations_id, e.clock_in, e.clock_out, e.time_zone, e.offset_seconds, a.sessions_id, e.notes, e.source, e.flags,
e.version, e.updated_at FROM closed e CROSS JOIN active a;

-- Views for sqlite3, Grafana, Metabase and their like. README.md beside this file says how to apply them, and what
-- their columns mean.
--
-- Names and columns stay; columns are only ever added, behind the others. Public ids are UUIDs as text, instants ISO
-- 8601 in UTC, dates YYYY-MM-DD, truths 0 or 1. Nothing here keeps anything: each view is a query over the service's
-- tables, and no migration knows of it.

BEGIN IMMEDIATE;

-- What each person has on each date: whole entries, on the local date that is stored with them. An active entry counts
-- to now.
DROP VIEW IF EXISTS reporting_hours_by_day;
CREATE VIEW reporting_hours_by_day AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  date(e.date * 86400, 'unixepoch') AS date,
  -- Whole seconds, cut once for each entry. A clock that was set back makes nothing negative.
  sum(max(0, coalesce(e.clock_out, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - e.clock_in) / 1000)
    AS seconds,
  sum(max(0, coalesce(e.clock_out, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - e.clock_in) / 1000)
    / 3600.0 AS hours,
  count(*) AS entries,
  count(*) - count(e.clock_out) AS active_entries,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(e.clock_in) / 1000.0, 'unixepoch') AS first_in,
  -- Null while somebody is clocked in.
  CASE WHEN count(e.clock_out) = count(*)
    THEN strftime('%Y-%m-%dT%H:%M:%fZ', max(e.clock_out) / 1000.0, 'unixepoch') END AS last_out
FROM organizations o
CROSS JOIN members m ON m.organization_id = o.organization_id
CROSS JOIN users u ON u.user_id = m.user_id
-- In the order in which they lie.
CROSS JOIN time_entries e NOT INDEXED ON e.organization_id = m.organization_id AND e.user_id = m.user_id
GROUP BY o.organization_id, m.user_id, e.date, o.id, o.name, u.id, m.name;

-- Who is clocked in, since when, and whether for longer than the organization's policy has it.
DROP VIEW IF EXISTS reporting_open_entries;
CREATE VIEW reporting_open_entries AS
WITH open_entries AS (
  SELECT *, max(0, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) - clock_in) AS milliseconds
  FROM time_entries
  WHERE clock_out IS NULL
)
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(e.id), 1, 8) || '-' || substr(hex(e.id), 9, 4) || '-' || substr(hex(e.id), 13, 4)
    || '-' || substr(hex(e.id), 17, 4) || '-' || substr(hex(e.id), 21)) AS time_entry_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.clock_in / 1000.0, 'unixepoch') AS clock_in_time,
  date(e.date * 86400, 'unixepoch') AS date,
  e.time_zone AS time_zone,
  s.title AS session_title,
  e.source AS source,
  e.milliseconds / 3600000.0 AS hours_open,
  o.maximum_seconds / 3600.0 AS maximum_hours,
  e.milliseconds > o.maximum_seconds * 1000 AS is_over_maximum
FROM open_entries e
JOIN organizations o ON o.organization_id = e.organization_id
JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
JOIN users u ON u.user_id = e.user_id
LEFT JOIN sessions s ON s.organization_id = e.organization_id AND s.session_id = e.session_id;

-- Pairs of one person's entries that share a moment, an active one having no end. The database refuses them, so a row
-- here means that somebody has written past it.
DROP VIEW IF EXISTS reporting_overlaps;
CREATE VIEW reporting_overlaps AS
WITH entries AS (
  SELECT organization_id, user_id, entry_number, id, clock_in, clock_out,
    coalesce(clock_out, 9223372036854775807) AS ends,
    max(coalesce(clock_out, 9223372036854775807)) OVER (
      PARTITION BY organization_id, user_id ORDER BY clock_in, entry_number
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ends_before
  FROM time_entries
)
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(f.id), 1, 8) || '-' || substr(hex(f.id), 9, 4) || '-' || substr(hex(f.id), 13, 4)
    || '-' || substr(hex(f.id), 17, 4) || '-' || substr(hex(f.id), 21)) AS time_entry_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', f.clock_in / 1000.0, 'unixepoch') AS clock_in_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', f.clock_out / 1000.0, 'unixepoch') AS clock_out_time,
  lower(substr(hex(e.id), 1, 8) || '-' || substr(hex(e.id), 9, 4) || '-' || substr(hex(e.id), 13, 4)
    || '-' || substr(hex(e.id), 17, 4) || '-' || substr(hex(e.id), 21)) AS other_time_entry_id,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.clock_in / 1000.0, 'unixepoch') AS other_clock_in_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.clock_out / 1000.0, 'unixepoch') AS other_clock_out_time
FROM entries e
JOIN time_entries f ON f.organization_id = e.organization_id AND f.user_id = e.user_id
  AND (f.clock_in, f.entry_number) < (e.clock_in, e.entry_number)
  AND coalesce(f.clock_out, 9223372036854775807) > e.clock_in
JOIN organizations o ON o.organization_id = e.organization_id
JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
JOIN users u ON u.user_id = e.user_id
WHERE e.ends_before > e.clock_in;

-- Who changed what, when and why, in the order of the chain of hashes.
DROP VIEW IF EXISTS reporting_audit;
CREATE VIEW reporting_audit AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  s.sequence AS sequence,
  strftime('%Y-%m-%dT%H:%M:%fZ', c.time / 1000.0, 'unixepoch') AS time,
  c.author_means AS author_means,
  CASE WHEN c.author_id IS NOT NULL THEN
    lower(substr(hex(c.author_id), 1, 8) || '-' || substr(hex(c.author_id), 9, 4)
    || '-' || substr(hex(c.author_id), 13, 4) || '-' || substr(hex(c.author_id), 17, 4)
    || '-' || substr(hex(c.author_id), 21)) END AS author_id,
  -- As the person is called today; null for the operator and the service.
  m.name AS author_name,
  CASE WHEN c.author_token_id IS NOT NULL THEN
    lower(substr(hex(c.author_token_id), 1, 8) || '-' || substr(hex(c.author_token_id), 9, 4)
    || '-' || substr(hex(c.author_token_id), 13, 4) || '-' || substr(hex(c.author_token_id), 17, 4)
    || '-' || substr(hex(c.author_token_id), 21)) END AS author_token_id,
  CASE WHEN c.request_id IS NOT NULL THEN
    lower(substr(hex(c.request_id), 1, 8) || '-' || substr(hex(c.request_id), 9, 4)
    || '-' || substr(hex(c.request_id), 13, 4) || '-' || substr(hex(c.request_id), 17, 4)
    || '-' || substr(hex(c.request_id), 21)) END AS request_id,
  c.operation AS operation,
  c.kind AS kind,
  c.resource AS resource,
  lower(substr(hex(c.resource_id), 1, 8) || '-' || substr(hex(c.resource_id), 9, 4)
    || '-' || substr(hex(c.resource_id), 13, 4) || '-' || substr(hex(c.resource_id), 17, 4)
    || '-' || substr(hex(c.resource_id), 21)) AS resource_id,
  -- The resource as JSON: instants in it are milliseconds since 1970, dates days.
  c.before AS before,
  c.after AS after,
  c.reason AS reason,
  c.salt IS NULL AS is_erased
FROM change_seals s
JOIN changes c ON c.change_number = s.change_number
JOIN organizations o ON o.organization_id = s.organization_id
LEFT JOIN users u ON u.id = c.author_id
LEFT JOIN members m ON m.organization_id = s.organization_id AND m.user_id = u.user_id
ORDER BY s.organization_id, s.sequence;

COMMIT;

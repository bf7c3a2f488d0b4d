-- Views for sqlite3, Grafana, Metabase and their like. README.md beside this file says how to apply them, and the
-- meaning of their columns.
--
-- Names and columns stay; columns are only ever added, behind the others. Public ids are UUIDs as text, instants ISO
-- 8601 in UTC, dates YYYY-MM-DD, truths 0 or 1. Nothing here keeps anything: each view is a query over the service's
-- tables, and no migration knows of it.

BEGIN IMMEDIATE;

-- The hours of each person on each date: whole entries, on the local date that is stored with them. An active entry
-- counts to now.
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

-- The members who are clocked in, since when, and whether for longer than the organization's policy has it.
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

-- The entries themselves, a row each.
DROP VIEW IF EXISTS reporting_time_entries;
CREATE VIEW reporting_time_entries AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(e.id), 1, 8) || '-' || substr(hex(e.id), 9, 4) || '-' || substr(hex(e.id), 13, 4)
    || '-' || substr(hex(e.id), 17, 4) || '-' || substr(hex(e.id), 21)) AS time_entry_id,
  date(e.date * 86400, 'unixepoch') AS date,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.clock_in / 1000.0, 'unixepoch') AS clock_in_time,
  -- Null while the entry is active.
  strftime('%Y-%m-%dT%H:%M:%fZ', e.clock_out / 1000.0, 'unixepoch') AS clock_out_time,
  -- By the offset from UTC that is stored with the entry, that of its clock-in: SQLite knows no time zones.
  strftime('%Y-%m-%d %H:%M:%S', e.clock_in / 1000 + e.offset_seconds, 'unixepoch') AS clock_in_local,
  strftime('%Y-%m-%d %H:%M:%S', e.clock_out / 1000 + e.offset_seconds, 'unixepoch') AS clock_out_local,
  e.time_zone AS time_zone,
  -- Whole seconds; an active entry counts to now.
  max(0, coalesce(e.clock_out, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - e.clock_in) / 1000 AS seconds,
  max(0, coalesce(e.clock_out, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - e.clock_in) / 1000
    / 3600.0 AS hours,
  e.clock_out IS NULL AS is_active,
  CASE WHEN s.id IS NOT NULL THEN
    lower(substr(hex(s.id), 1, 8) || '-' || substr(hex(s.id), 9, 4) || '-' || substr(hex(s.id), 13, 4)
    || '-' || substr(hex(s.id), 17, 4) || '-' || substr(hex(s.id), 21)) END AS session_id,
  s.title AS session_title,
  e.notes AS notes,
  e.source AS source,
  e.flags & 1 <> 0 AS is_under_minimum,
  e.flags & 2 <> 0 AS is_over_maximum,
  e.flags & 4 <> 0 AS is_auto_closed,
  e.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM time_entries e
JOIN organizations o ON o.organization_id = e.organization_id
JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
JOIN users u ON u.user_id = e.user_id
LEFT JOIN sessions s ON s.organization_id = e.organization_id AND s.session_id = e.session_id;

-- The people of each organization, as it knows them.
DROP VIEW IF EXISTS reporting_members;
CREATE VIEW reporting_members AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  m.email AS email,
  m.role AS role,
  -- The member's own zone, or else the organization's.
  coalesce(m.time_zone, o.time_zone) AS time_zone,
  m.active AS is_active,
  m.anonymized_at IS NOT NULL AS is_anonymized,
  strftime('%Y-%m-%dT%H:%M:%fZ', m.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', m.updated_at / 1000.0, 'unixepoch') AS updated_time,
  m.personnel_number AS personnel_number
FROM members m
JOIN organizations o ON o.organization_id = m.organization_id
JOIN users u ON u.user_id = m.user_id;

-- Planned work.
DROP VIEW IF EXISTS reporting_sessions;
CREATE VIEW reporting_sessions AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(s.id), 1, 8) || '-' || substr(hex(s.id), 9, 4) || '-' || substr(hex(s.id), 13, 4)
    || '-' || substr(hex(s.id), 17, 4) || '-' || substr(hex(s.id), 21)) AS session_id,
  s.title AS session_title,
  date(s.date * 86400, 'unixepoch') AS date,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.start_time / 1000.0, 'unixepoch') AS start_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.end_time / 1000.0, 'unixepoch') AS end_time,
  s.location AS location,
  (SELECT count(*) FROM session_assignees a
    WHERE a.organization_id = s.organization_id AND a.session_id = s.session_id) AS assignees
FROM sessions s
JOIN organizations o ON o.organization_id = s.organization_id;

-- The rules of each organization. Null is a rule that no admin has set.
DROP VIEW IF EXISTS reporting_policy;
CREATE VIEW reporting_policy AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  o.time_zone AS time_zone,
  o.minimum_seconds AS minimum_seconds,
  o.maximum_seconds AS maximum_seconds,
  o.edit_window_days AS edit_window_days,
  o.look_back_hours AS look_back_hours,
  o.manual_entry_days AS manual_entry_days,
  o.auto_clock_out_seconds AS auto_clock_out_seconds,
  o.daily_overtime_seconds AS daily_overtime_seconds,
  o.weekly_overtime_seconds AS weekly_overtime_seconds,
  -- From 1, Monday, to 7.
  o.week_start AS week_start,
  o.members_may_create_projects AS members_may_create_projects,
  -- After how many seconds of work how many of break: "21600:1800 32400:2700".
  o.break_rules AS break_rules,
  o.break_minimum_seconds AS break_minimum_seconds,
  o.project_required AS project_required,
  o.members_may_enter_times AS members_may_enter_times,
  o.remind_after_seconds AS remind_after_seconds,
  o.timer_session_days AS timer_session_days,
  o.managers_see AS managers_see,
  -- Kinds of absences, with spaces between them; null for all but sick.
  o.absence_approval AS absence_approval,
  o.self_approval AS self_approval,
  o.absence_kinds_visible AS absence_kinds_visible,
  o.allow_negative_entitlement AS allow_negative_entitlement,
  -- The most and the least that accounts keep when time is locked; null for no cap.
  o.balance_cap_above AS balance_cap_above,
  o.balance_cap_below AS balance_cap_below,
  o.corrections_need AS corrections_need
FROM organizations o;

-- The rules by which dates are paid, each from its date on; the policy counts before the first ones.
DROP VIEW IF EXISTS reporting_pay_rules;
CREATE VIEW reporting_pay_rules AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS pay_rules_id,
  date(r.from_date * 86400, 'unixepoch') AS from_date,
  r.break_rules AS break_rules,
  r.break_minimum_seconds AS break_minimum_seconds,
  r.daily_overtime_after AS daily_overtime_seconds,
  r.weekly_overtime_after AS weekly_overtime_seconds,
  -- The name of a day, such as "monday".
  r.week_start AS week_start,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM pay_rules r
JOIN organizations o ON o.organization_id = r.organization_id;

-- The regular time and the overtime of each person's paid day, by the pay rules of its date, or else by the policy of
-- today. A week's days count in their order.
DROP VIEW IF EXISTS reporting_overtime_by_day;
CREATE VIEW reporting_overtime_by_day AS
WITH unpaid AS (
  -- Unpaid breaks, whole on the date of their entry; whole seconds, cut at both ends from the beginning of the entry.
  SELECT e.organization_id, e.user_id, e.date,
    sum((max(s.start_time, coalesce(s.end_time, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))) - e.clock_in)
      / 1000 - (s.start_time - e.clock_in) / 1000) AS seconds
  FROM segments s
  JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
  WHERE s.break_type_id IS NOT NULL AND NOT s.is_paid
  GROUP BY e.organization_id, e.user_id, e.date
), days AS (
  SELECT e.organization_id, e.user_id, e.date,
    sum(max(0, coalesce(e.clock_out, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - e.clock_in) / 1000)
      AS seconds
  FROM time_entries e NOT INDEXED
  GROUP BY e.organization_id, e.user_id, e.date
), paid AS (
  SELECT d.*, coalesce(b.seconds, 0) AS unpaid_break, d.seconds - coalesce(b.seconds, 0) AS paid
  FROM days d
  LEFT JOIN unpaid b ON b.organization_id = d.organization_id AND b.user_id = d.user_id AND b.date = d.date
), dated AS (
  -- The row of the rules of the date; null for dates before the first dated ones.
  SELECT d.*, (SELECT r.pay_rules_id FROM pay_rules r WHERE r.organization_id = d.organization_id
    AND r.from_date <= d.date ORDER BY r.from_date DESC LIMIT 1) AS rules
  FROM paid d
), ruled AS (
  SELECT d.*,
    iif(d.rules IS NULL, o.daily_overtime_seconds, r.daily_overtime_after) AS daily_overtime_after,
    iif(d.rules IS NULL, o.weekly_overtime_seconds, r.weekly_overtime_after) AS weekly_overtime_after,
    CASE r.week_start WHEN 'monday' THEN 1 WHEN 'tuesday' THEN 2 WHEN 'wednesday' THEN 3 WHEN 'thursday' THEN 4
      WHEN 'friday' THEN 5 WHEN 'saturday' THEN 6 WHEN 'sunday' THEN 7 ELSE o.week_start END AS week_start,
    o.break_rules = '' AND NOT EXISTS (SELECT 1 FROM pay_rules p WHERE p.organization_id = d.organization_id
      AND p.from_date <= d.date AND p.break_rules <> '') AS is_known
  FROM dated d
  JOIN organizations o ON o.organization_id = d.organization_id
  LEFT JOIN pay_rules r ON r.organization_id = d.organization_id AND r.pay_rules_id = d.rules
), daily AS (
  SELECT d.*,
    -- The first date of the week: the first of January 1970 was a Thursday.
    d.date - (d.date + 3 + 8 - d.week_start) % 7 AS week,
    max(0, d.paid - coalesce(d.daily_overtime_after, d.paid)) AS daily_overtime
  FROM ruled d
), weekly AS (
  SELECT *, max(0, min(paid - daily_overtime,
    sum(paid - daily_overtime) OVER (PARTITION BY organization_id, user_id, week ORDER BY date)
      - coalesce(weekly_overtime_after, 9223372036854775807))) AS weekly_overtime
  FROM daily
)
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  date(w.date * 86400, 'unixepoch') AS date,
  date(w.week * 86400, 'unixepoch') AS week,
  w.seconds AS seconds,
  -- Null while the policy has break rules, and from the first dated ones on, as paid_seconds is: the service alone knows
  -- their deductions.
  CASE WHEN w.is_known THEN w.paid - w.daily_overtime - w.weekly_overtime END AS regular_seconds,
  CASE WHEN w.is_known THEN w.daily_overtime END AS daily_overtime_seconds,
  CASE WHEN w.is_known THEN w.weekly_overtime END AS weekly_overtime_seconds,
  w.unpaid_break AS unpaid_break_seconds,
  CASE WHEN w.is_known THEN w.paid END AS paid_seconds
FROM weekly w
JOIN organizations o ON o.organization_id = w.organization_id
JOIN members m ON m.organization_id = w.organization_id AND m.user_id = w.user_id
JOIN users u ON u.user_id = w.user_id;

-- The projects that people work for. A project without an owner is the organization's.
DROP VIEW IF EXISTS reporting_projects;
CREATE VIEW reporting_projects AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(p.id), 1, 8) || '-' || substr(hex(p.id), 9, 4) || '-' || substr(hex(p.id), 13, 4)
    || '-' || substr(hex(p.id), 17, 4) || '-' || substr(hex(p.id), 21)) AS project_id,
  p.name AS project_name,
  p.client AS client,
  p.color AS color,
  CASE WHEN u.id IS NOT NULL THEN
    lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) END AS owner_id,
  m.name AS owner_name,
  p.billable AS is_billable,
  p.archived AS is_archived,
  p.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', p.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', p.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM projects p
JOIN organizations o ON o.organization_id = p.organization_id
LEFT JOIN members m ON m.organization_id = p.organization_id AND m.user_id = p.owner_id
LEFT JOIN users u ON u.user_id = p.owner_id;

-- Pieces of work, of a project or of none. A task without an owner is the organization's.
DROP VIEW IF EXISTS reporting_tasks;
CREATE VIEW reporting_tasks AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(t.id), 1, 8) || '-' || substr(hex(t.id), 9, 4) || '-' || substr(hex(t.id), 13, 4)
    || '-' || substr(hex(t.id), 17, 4) || '-' || substr(hex(t.id), 21)) AS task_id,
  t.name AS task_name,
  CASE WHEN p.id IS NOT NULL THEN
    lower(substr(hex(p.id), 1, 8) || '-' || substr(hex(p.id), 9, 4) || '-' || substr(hex(p.id), 13, 4)
    || '-' || substr(hex(p.id), 17, 4) || '-' || substr(hex(p.id), 21)) END AS project_id,
  p.name AS project_name,
  CASE WHEN u.id IS NOT NULL THEN
    lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) END AS owner_id,
  m.name AS owner_name,
  t.hidden AS is_hidden,
  t.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', t.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', t.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM tasks t
JOIN organizations o ON o.organization_id = t.organization_id
LEFT JOIN projects p ON p.organization_id = t.organization_id AND p.project_id = t.project_id
LEFT JOIN members m ON m.organization_id = t.organization_id AND m.user_id = t.owner_id
LEFT JOIN users u ON u.user_id = t.owner_id;

-- The purposes of time, a row for each segment.
DROP VIEW IF EXISTS reporting_segments;
CREATE VIEW reporting_segments AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(s.id), 1, 8) || '-' || substr(hex(s.id), 9, 4) || '-' || substr(hex(s.id), 13, 4)
    || '-' || substr(hex(s.id), 17, 4) || '-' || substr(hex(s.id), 21)) AS segment_id,
  -- By the offset from UTC that is stored with the entry, that of its clock-in: SQLite knows no time zones. Null for
  -- work that is kept without an entry.
  date(s.start_time / 1000 + e.offset_seconds, 'unixepoch') AS date,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.start_time / 1000.0, 'unixepoch') AS start_time,
  -- Null while the segment is open.
  strftime('%Y-%m-%dT%H:%M:%fZ', s.end_time / 1000.0, 'unixepoch') AS end_time,
  strftime('%Y-%m-%d %H:%M:%S', s.start_time / 1000 + e.offset_seconds, 'unixepoch') AS start_local,
  strftime('%Y-%m-%d %H:%M:%S', s.end_time / 1000 + e.offset_seconds, 'unixepoch') AS end_local,
  s.time_zone AS time_zone,
  -- Whole seconds; an open segment counts to now.
  max(0, coalesce(s.end_time, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - s.start_time) / 1000 AS seconds,
  max(0, coalesce(s.end_time, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - s.start_time) / 1000
    / 3600.0 AS hours,
  s.end_time IS NULL AS is_active,
  CASE WHEN s.break_type_id IS NULL THEN 'work' ELSE 'break' END AS kind,
  CASE WHEN p.id IS NOT NULL THEN
    lower(substr(hex(p.id), 1, 8) || '-' || substr(hex(p.id), 9, 4) || '-' || substr(hex(p.id), 13, 4)
    || '-' || substr(hex(p.id), 17, 4) || '-' || substr(hex(p.id), 21)) END AS project_id,
  p.name AS project_name,
  p.client AS client,
  CASE WHEN t.id IS NOT NULL THEN
    lower(substr(hex(t.id), 1, 8) || '-' || substr(hex(t.id), 9, 4) || '-' || substr(hex(t.id), 13, 4)
    || '-' || substr(hex(t.id), 17, 4) || '-' || substr(hex(t.id), 21)) END AS task_id,
  t.name AS task_name,
  CASE WHEN b.id IS NOT NULL THEN
    lower(substr(hex(b.id), 1, 8) || '-' || substr(hex(b.id), 9, 4) || '-' || substr(hex(b.id), 13, 4)
    || '-' || substr(hex(b.id), 17, 4) || '-' || substr(hex(b.id), 21)) END AS break_type_id,
  b.name AS break_type_name,
  -- As the break type and the project said when the segment was written.
  s.is_paid AS is_paid,
  s.billable AS is_billable,
  s.name AS segment_name,
  replace(trim(s.tags, char(10)), char(10), ', ') AS tags,
  CASE WHEN s.time_entry_id IS NOT NULL THEN
    lower(substr(hex(s.time_entry_id), 1, 8) || '-' || substr(hex(s.time_entry_id), 9, 4)
    || '-' || substr(hex(s.time_entry_id), 13, 4)
    || '-' || substr(hex(s.time_entry_id), 17, 4) || '-' || substr(hex(s.time_entry_id), 21)) END AS time_entry_id,
  s.source AS source,
  s.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM segments s
JOIN organizations o ON o.organization_id = s.organization_id
JOIN members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users u ON u.user_id = s.user_id
LEFT JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
LEFT JOIN projects p ON p.organization_id = s.organization_id AND p.project_id = s.project_id
LEFT JOIN tasks t ON t.organization_id = s.organization_id AND t.task_id = s.task_id
LEFT JOIN break_types b ON b.organization_id = s.organization_id AND b.break_type_id = s.break_type_id;

-- Breaks, a row each, with the length that their type expects.
DROP VIEW IF EXISTS reporting_breaks;
CREATE VIEW reporting_breaks AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(s.id), 1, 8) || '-' || substr(hex(s.id), 9, 4) || '-' || substr(hex(s.id), 13, 4)
    || '-' || substr(hex(s.id), 17, 4) || '-' || substr(hex(s.id), 21)) AS segment_id,
  lower(substr(hex(s.time_entry_id), 1, 8) || '-' || substr(hex(s.time_entry_id), 9, 4)
    || '-' || substr(hex(s.time_entry_id), 13, 4)
    || '-' || substr(hex(s.time_entry_id), 17, 4) || '-' || substr(hex(s.time_entry_id), 21)) AS time_entry_id,
  lower(substr(hex(b.id), 1, 8) || '-' || substr(hex(b.id), 9, 4) || '-' || substr(hex(b.id), 13, 4)
    || '-' || substr(hex(b.id), 17, 4) || '-' || substr(hex(b.id), 21)) AS break_type_id,
  b.name AS break_type_name,
  -- As the break type said when the break was written.
  s.is_paid AS is_paid,
  -- By the offset from UTC that is stored with the entry, that of its clock-in: SQLite knows no time zones.
  date(s.start_time / 1000 + e.offset_seconds, 'unixepoch') AS date,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.start_time / 1000.0, 'unixepoch') AS start_time,
  -- Null while the break goes on.
  strftime('%Y-%m-%dT%H:%M:%fZ', s.end_time / 1000.0, 'unixepoch') AS end_time,
  strftime('%Y-%m-%d %H:%M:%S', s.start_time / 1000 + e.offset_seconds, 'unixepoch') AS start_local,
  strftime('%Y-%m-%d %H:%M:%S', s.end_time / 1000 + e.offset_seconds, 'unixepoch') AS end_local,
  -- Whole seconds; an open break counts to now.
  max(0, coalesce(s.end_time, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) - s.start_time) / 1000 AS seconds,
  b.expected_seconds AS expected_seconds,
  s.end_time IS NULL AS is_active
FROM segments s
JOIN organizations o ON o.organization_id = s.organization_id
JOIN members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users u ON u.user_id = s.user_id
JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
JOIN break_types b ON b.organization_id = s.organization_id AND b.break_type_id = s.break_type_id;

-- The work of each person on each date for each project, and for none: work in entries, whole, on the local date of its
-- start. Breaks, and time of entries without a segment, are not in it.
DROP VIEW IF EXISTS reporting_project_hours_by_day;
CREATE VIEW reporting_project_hours_by_day AS
WITH work AS (
  SELECT s.organization_id, s.user_id, s.project_id, s.end_time,
    date(s.start_time / 1000 + e.offset_seconds, 'unixepoch') AS date,
    -- Whole seconds, cut at both ends from the beginning of the entry, so that the sections of an entry lose none.
    (max(s.start_time, coalesce(s.end_time, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))) - e.clock_in) / 1000
      - (s.start_time - e.clock_in) / 1000 AS seconds
  FROM members m
  CROSS JOIN segments s ON s.organization_id = m.organization_id AND s.user_id = m.user_id
  CROSS JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
  WHERE s.break_type_id IS NULL
)
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  w.date AS date,
  -- Null for work on a task of no project.
  CASE WHEN p.id IS NOT NULL THEN
    lower(substr(hex(p.id), 1, 8) || '-' || substr(hex(p.id), 9, 4) || '-' || substr(hex(p.id), 13, 4)
    || '-' || substr(hex(p.id), 17, 4) || '-' || substr(hex(p.id), 21)) END AS project_id,
  p.name AS project_name,
  p.client AS client,
  sum(w.seconds) AS seconds,
  sum(w.seconds) / 3600.0 AS hours,
  count(*) AS segments,
  count(*) - count(w.end_time) AS active_segments
FROM work w
JOIN organizations o ON o.organization_id = w.organization_id
JOIN members m ON m.organization_id = w.organization_id AND m.user_id = w.user_id
JOIN users u ON u.user_id = w.user_id
LEFT JOIN projects p ON p.organization_id = w.organization_id AND p.project_id = w.project_id
GROUP BY w.organization_id, w.user_id, w.date, w.project_id, o.id, o.name, u.id, m.name, p.id, p.name, p.client;

-- What members owe: each row from its date on, until the member's next one.
DROP VIEW IF EXISTS reporting_schedules;
CREATE VIEW reporting_schedules AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS schedule_id,
  date(r.from_date * 86400, 'unixepoch') AS from_date,
  -- The seconds of each day from a Monday on, of one to eight weeks that repeat: "28800,28800,28800,28800,28800,0,0".
  r.seconds_by_weekday AS seconds_by_weekday,
  CASE WHEN c.id IS NOT NULL THEN
    lower(substr(hex(c.id), 1, 8) || '-' || substr(hex(c.id), 9, 4) || '-' || substr(hex(c.id), 13, 4)
    || '-' || substr(hex(c.id), 17, 4) || '-' || substr(hex(c.id), 21)) END AS holiday_calendar_id,
  c.name AS holiday_calendar_name,
  r.works_on_holidays AS works_on_holidays,
  -- The schedule's own zone, or else the organization's.
  coalesce(r.time_zone, o.time_zone) AS time_zone,
  r.workday_start AS workday_start,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM work_schedules r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id
LEFT JOIN holiday_calendars c ON c.organization_id = r.organization_id AND c.holiday_calendar_id = r.holiday_calendar_id;

-- The holidays of all calendars.
DROP VIEW IF EXISTS reporting_holidays;
CREATE VIEW reporting_holidays AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(c.id), 1, 8) || '-' || substr(hex(c.id), 9, 4) || '-' || substr(hex(c.id), 13, 4)
    || '-' || substr(hex(c.id), 17, 4) || '-' || substr(hex(c.id), 21)) AS holiday_calendar_id,
  c.name AS holiday_calendar_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS holiday_id,
  date(r.date * 86400, 'unixepoch') AS date,
  r.name AS holiday_name,
  r.percent AS percent,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM holidays r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN holiday_calendars c ON c.organization_id = r.organization_id AND c.holiday_calendar_id = r.calendar_id;

-- The days off that members are entitled to.
DROP VIEW IF EXISTS reporting_entitlements;
CREATE VIEW reporting_entitlements AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS entitlement_id,
  r.kind AS kind,
  r.year AS year,
  r.days / 10000.0 AS days,
  r.carried_days / 10000.0 AS carried_days,
  date(r.carried_expires * 86400, 'unixepoch') AS carried_expires,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM entitlements r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- What was added to members' balances, and taken from them.
DROP VIEW IF EXISTS reporting_adjustments;
CREATE VIEW reporting_adjustments AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS adjustment_id,
  date(r.date * 86400, 'unixepoch') AS date,
  r.seconds AS seconds,
  r.seconds / 3600.0 AS hours,
  r.kind AS kind,
  r.reason AS reason,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM adjustments r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The people of each group: a row for each part that somebody has in one.
DROP VIEW IF EXISTS reporting_group_people;
CREATE VIEW reporting_group_people AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(g.id), 1, 8) || '-' || substr(hex(g.id), 9, 4) || '-' || substr(hex(g.id), 13, 4)
    || '-' || substr(hex(g.id), 17, 4) || '-' || substr(hex(g.id), 21)) AS group_id,
  g.name AS group_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  r.part AS part
FROM group_people r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN groups g ON g.organization_id = r.organization_id AND g.group_id = r.group_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The dates on which members are absent. The reason is nobody's business here: neither kinds nor notes are shown.
DROP VIEW IF EXISTS reporting_absences;
CREATE VIEW reporting_absences AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS absence_id,
  date(r.start_date * 86400, 'unixepoch') AS start_date,
  date(r.end_date * 86400, 'unixepoch') AS end_date,
  r.portion AS portion,
  r.seconds AS seconds,
  r.state AS state,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM absences r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The marks on the time of members who have some.
DROP VIEW IF EXISTS reporting_periods;
CREATE VIEW reporting_periods AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  date(r.submitted_through * 86400, 'unixepoch') AS submitted_through,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.submitted_until / 1000.0, 'unixepoch') AS submitted_until_time,
  date(r.approved_through * 86400, 'unixepoch') AS approved_through,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.approved_until / 1000.0, 'unixepoch') AS approved_until_time,
  date(r.locked_through * 86400, 'unixepoch') AS locked_through,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.locked_until / 1000.0, 'unixepoch') AS locked_until_time,
  r.version AS version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.updated_at / 1000.0, 'unixepoch') AS updated_time
FROM periods r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The totals of dates as they were approved, those too whose approval was taken back.
DROP VIEW IF EXISTS reporting_approvals;
CREATE VIEW reporting_approvals AS
SELECT
  lower(substr(hex(o.id), 1, 8) || '-' || substr(hex(o.id), 9, 4) || '-' || substr(hex(o.id), 13, 4)
    || '-' || substr(hex(o.id), 17, 4) || '-' || substr(hex(o.id), 21)) AS organization_id,
  o.name AS organization_name,
  lower(substr(hex(u.id), 1, 8) || '-' || substr(hex(u.id), 9, 4) || '-' || substr(hex(u.id), 13, 4)
    || '-' || substr(hex(u.id), 17, 4) || '-' || substr(hex(u.id), 21)) AS user_id,
  m.name AS user_name,
  lower(substr(hex(r.id), 1, 8) || '-' || substr(hex(r.id), 9, 4) || '-' || substr(hex(r.id), 13, 4)
    || '-' || substr(hex(r.id), 17, 4) || '-' || substr(hex(r.id), 21)) AS approval_id,
  date(r.from_date * 86400, 'unixepoch') AS from_date,
  date(r.through * 86400, 'unixepoch') AS through_date,
  lower(substr(hex(r.approved_by), 1, 8) || '-' || substr(hex(r.approved_by), 9, 4) || '-' || substr(hex(r.approved_by), 13, 4)
    || '-' || substr(hex(r.approved_by), 17, 4) || '-' || substr(hex(r.approved_by), 21)) AS approved_by_user_id,
  r.planned_seconds AS planned_seconds,
  r.holiday_seconds AS holiday_seconds,
  r.absence_seconds AS absence_seconds,
  r.credited_seconds AS credited_seconds,
  r.target_seconds AS target_seconds,
  r.paid_seconds AS paid_seconds,
  r.adjustment_seconds AS adjustment_seconds,
  r.balance_seconds AS balance_seconds,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_time,
  r.daily_overtime_seconds AS daily_overtime_seconds,
  r.weekly_overtime_seconds AS weekly_overtime_seconds
FROM approvals r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- Changes with their actor, time and reason, in the order of the chain of hashes.
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
  -- Null of absences, which would tell their kinds.
  CASE WHEN c.resource <> 'absence' THEN c.before END AS before,
  CASE WHEN c.resource <> 'absence' THEN c.after END AS after,
  c.reason AS reason,
  c.salt IS NULL AS is_erased
FROM change_seals s
JOIN changes c ON c.change_number = s.change_number
JOIN organizations o ON o.organization_id = s.organization_id
LEFT JOIN users u ON u.id = c.author_id
LEFT JOIN members m ON m.organization_id = s.organization_id AND m.user_id = u.user_id
ORDER BY s.organization_id, s.sequence;

COMMIT;

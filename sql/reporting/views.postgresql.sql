-- Views for psql, Grafana, Metabase and their like. README.md beside this file says how to apply them, and the meaning
-- of their columns.
--
-- Names and columns stay; columns are only ever added, behind the others. Public ids are uuid, instants timestamptz,
-- dates date. Nothing here keeps anything: each view is a query over the service's tables, and no migration knows of
-- it. The owner of the views must be allowed to read the tables; readers of the views need not.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL client_min_messages = warning;

CREATE SCHEMA IF NOT EXISTS reporting;

-- The hours of each person on each date: whole entries, on the local date that is stored with them. An active entry
-- counts to now.
CREATE OR REPLACE VIEW reporting.hours_by_day AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  date '1970-01-01' + d.date::integer AS date,
  d.seconds AS seconds,
  d.seconds / 3600.0 AS hours,
  d.entries AS entries,
  d.active_entries AS active_entries,
  to_timestamp(d.first_in / 1000.0) AS first_in,
  -- Null while somebody is clocked in.
  CASE WHEN d.active_entries = 0 THEN to_timestamp(d.last_out / 1000.0) END AS last_out
FROM organizations o
-- Each organization by itself, so that a query for one reads no other.
CROSS JOIN LATERAL (
  SELECT user_id, date,
    -- Whole seconds, cut once for each entry. A clock that was set back makes nothing negative.
    sum(greatest(0, coalesce(clock_out, floor(extract(epoch FROM now()) * 1000)::bigint) - clock_in) / 1000)::bigint
      AS seconds,
    count(*) AS entries, count(*) FILTER (WHERE clock_out IS NULL) AS active_entries,
    min(clock_in) AS first_in, max(clock_out) AS last_out
  FROM time_entries
  WHERE organization_id = o.organization_id
  GROUP BY user_id, date
) d
JOIN members m ON m.organization_id = o.organization_id AND m.user_id = d.user_id
JOIN users u ON u.user_id = d.user_id;

-- The milliseconds that a span has on each local date of a zone, for spans in which the zone's offset changes.
--
-- Days are numbers since 1970, instants milliseconds. The span is cut at every full hour, and if the offset or the date
-- is another at the end of such an hour, at every full minute: clocks change at no other instants, and the date changes
-- at none either. A date that comes back, because clocks went back over midnight, has both its stretches.
CREATE OR REPLACE FUNCTION reporting.local_days(zone text, starts bigint, ends bigint)
RETURNS TABLE (day bigint, milliseconds bigint, first_in bigint, last_out bigint)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 2 AS $$
  WITH hours AS (
    SELECT greatest(starts, hour * 3600000) AS begins, least(ends, (hour + 1) * 3600000) AS stops
    FROM generate_series(starts / 3600000, (ends - 1) / 3600000) hour
  ), told AS (
    SELECT begins, stops,
      -- The same offset and the same date at both ends of the hour.
      to_timestamp(begins / 1000) AT TIME ZONE zone - to_timestamp(begins / 1000) AT TIME ZONE 'UTC'
        = to_timestamp((stops - 1) / 1000) AT TIME ZONE zone - to_timestamp((stops - 1) / 1000) AT TIME ZONE 'UTC'
      AND (to_timestamp(begins / 1000) AT TIME ZONE zone)::date
        = (to_timestamp((stops - 1) / 1000) AT TIME ZONE zone)::date AS is_one
    FROM hours
  ), pieces AS (
    SELECT begins, stops FROM told WHERE is_one
    UNION ALL
    SELECT greatest(begins, minute * 60000), least(stops, (minute + 1) * 60000)
    FROM told, generate_series(begins / 60000, (stops - 1) / 60000) minute
    WHERE NOT is_one
  )
  SELECT (to_timestamp(begins / 1000) AT TIME ZONE zone)::date - date '1970-01-01',
    sum(stops - begins)::bigint, min(begins), max(stops)
  FROM pieces
  GROUP BY 1
$$;

-- The hours of each person on each date: entries are cut at local midnight in the organization's zone, as in the
-- service's reports with attribution=split. Days have 23, 24, 24.5 or 25 hours. An active entry counts to now.
CREATE OR REPLACE VIEW reporting.hours_by_day_split AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  date '1970-01-01' + d.day::integer AS date,
  d.seconds AS seconds,
  d.seconds / 3600.0 AS hours,
  d.entries AS entries,
  d.active_entries AS active_entries,
  to_timestamp(d.first_in / 1000.0) AS first_in,
  -- Null if the last thing on the day is an entry that goes on.
  CASE WHEN NOT d.goes_on THEN to_timestamp(d.last_out / 1000.0) END AS last_out
FROM organizations o
CROSS JOIN LATERAL (
  SELECT e.user_id, p.day,
    -- Whole seconds, cut once for each entry and day.
    sum(p.milliseconds / 1000)::bigint AS seconds,
    count(*) AS entries, count(*) FILTER (WHERE e.clock_out IS NULL) AS active_entries,
    min(p.first_in) AS first_in, max(p.last_out) AS last_out,
    bool_or(e.clock_out IS NULL AND p.last_out = e.ends) AS goes_on
  FROM (
    SELECT t.user_id, t.clock_in, t.clock_out, i.ends,
      extract(epoch FROM (to_timestamp(t.clock_in / 1000) AT TIME ZONE o.time_zone)
        - (to_timestamp(t.clock_in / 1000) AT TIME ZONE 'UTC'))::bigint * 1000 AS offset_before,
      extract(epoch FROM (to_timestamp((i.ends - 1) / 1000) AT TIME ZONE o.time_zone)
        - (to_timestamp((i.ends - 1) / 1000) AT TIME ZONE 'UTC'))::bigint * 1000 AS offset_after
    FROM time_entries t,
      LATERAL (SELECT coalesce(t.clock_out, floor(extract(epoch FROM now()) * 1000)::bigint) AS ends) i
    WHERE t.organization_id = o.organization_id AND i.ends > t.clock_in
    -- Keeps the offsets from being computed again at each use.
    OFFSET 0
  ) e
  CROSS JOIN LATERAL (
    -- Nearly all entries: no clock changes from begin to end, and midnight is plain arithmetic. No zone changes its
    -- offset and changes it back within a week.
    SELECT day, least(e.ends, (day + 1) * 86400000 - e.offset_before)
        - greatest(e.clock_in, day * 86400000 - e.offset_before) AS milliseconds,
      greatest(e.clock_in, day * 86400000 - e.offset_before) AS first_in,
      least(e.ends, (day + 1) * 86400000 - e.offset_before) AS last_out
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7)) n (days_later),
      LATERAL (SELECT (e.clock_in + e.offset_before) / 86400000 + days_later AS day) l
    WHERE e.offset_before = e.offset_after AND e.ends - e.clock_in < 604800000
      AND day <= (e.ends - 1 + e.offset_before) / 86400000
    UNION ALL
    SELECT day, milliseconds, first_in, last_out
    FROM reporting.local_days(o.time_zone, e.clock_in, e.ends)
    WHERE NOT (e.offset_before = e.offset_after AND e.ends - e.clock_in < 604800000)
  ) p
  GROUP BY e.user_id, p.day
) d
JOIN members m ON m.organization_id = o.organization_id AND m.user_id = d.user_id
JOIN users u ON u.user_id = d.user_id;

-- The members who are clocked in, since when, and whether for longer than the organization's policy has it.
CREATE OR REPLACE VIEW reporting.open_entries AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  e.id AS time_entry_id,
  to_timestamp(e.clock_in / 1000.0) AS clock_in_time,
  date '1970-01-01' + e.date::integer AS date,
  e.time_zone AS time_zone,
  s.title AS session_title,
  e.source AS source,
  n.milliseconds / 3600000.0 AS hours_open,
  o.maximum_seconds / 3600.0 AS maximum_hours,
  n.milliseconds > o.maximum_seconds * 1000 AS is_over_maximum
FROM time_entries e
CROSS JOIN LATERAL (
  SELECT greatest(0, floor(extract(epoch FROM now()) * 1000)::bigint - e.clock_in) AS milliseconds) n
JOIN organizations o ON o.organization_id = e.organization_id
JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
JOIN users u ON u.user_id = e.user_id
LEFT JOIN sessions s ON s.organization_id = e.organization_id AND s.session_id = e.session_id
WHERE e.clock_out IS NULL;

-- Pairs of one person's entries that share a moment, an active one having no end. The database refuses them, so a row
-- here means that somebody has written past it.
CREATE OR REPLACE VIEW reporting.overlaps AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  f.id AS time_entry_id,
  to_timestamp(f.clock_in / 1000.0) AS clock_in_time,
  to_timestamp(f.clock_out / 1000.0) AS clock_out_time,
  e.id AS other_time_entry_id,
  to_timestamp(e.clock_in / 1000.0) AS other_clock_in_time,
  to_timestamp(e.clock_out / 1000.0) AS other_clock_out_time
FROM (
  SELECT organization_id, user_id, entry_number, id, clock_in, clock_out,
    max(coalesce(clock_out, 9223372036854775807)) OVER (
      PARTITION BY organization_id, user_id ORDER BY clock_in, entry_number
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ends_before
  FROM time_entries
) e
JOIN time_entries f ON f.organization_id = e.organization_id AND f.user_id = e.user_id
  AND (f.clock_in, f.entry_number) < (e.clock_in, e.entry_number)
  AND coalesce(f.clock_out, 9223372036854775807) > e.clock_in
JOIN organizations o ON o.organization_id = e.organization_id
JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
JOIN users u ON u.user_id = e.user_id
WHERE e.ends_before > e.clock_in;

-- The entries themselves, a row each.
CREATE OR REPLACE VIEW reporting.time_entries AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  e.id AS time_entry_id,
  date '1970-01-01' + e.date::integer AS date,
  to_timestamp(e.clock_in / 1000.0) AS clock_in_time,
  -- Null while the entry is active.
  to_timestamp(e.clock_out / 1000.0) AS clock_out_time,
  date_trunc('second', to_timestamp(e.clock_in / 1000.0) AT TIME ZONE e.time_zone) AS clock_in_local,
  date_trunc('second', to_timestamp(e.clock_out / 1000.0) AT TIME ZONE e.time_zone) AS clock_out_local,
  e.time_zone AS time_zone,
  -- Whole seconds; an active entry counts to now.
  greatest(0, coalesce(e.clock_out, floor(extract(epoch FROM now()) * 1000)::bigint) - e.clock_in) / 1000
    AS seconds,
  greatest(0, coalesce(e.clock_out, floor(extract(epoch FROM now()) * 1000)::bigint) - e.clock_in) / 1000
    / 3600.0 AS hours,
  e.clock_out IS NULL AS is_active,
  s.id AS session_id,
  s.title AS session_title,
  e.notes AS notes,
  e.source AS source,
  e.flags & 1 <> 0 AS is_under_minimum,
  e.flags & 2 <> 0 AS is_over_maximum,
  e.flags & 4 <> 0 AS is_auto_closed,
  e.version AS version,
  to_timestamp(e.created_at / 1000.0) AS created_time,
  to_timestamp(e.updated_at / 1000.0) AS updated_time
FROM time_entries e
JOIN organizations o ON o.organization_id = e.organization_id
JOIN members m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
JOIN users u ON u.user_id = e.user_id
LEFT JOIN sessions s ON s.organization_id = e.organization_id AND s.session_id = e.session_id;

-- The people of each organization, as it knows them.
CREATE OR REPLACE VIEW reporting.members AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  m.email AS email,
  m.role AS role,
  -- The member's own zone, or else the organization's.
  coalesce(m.time_zone, o.time_zone) AS time_zone,
  m.active AS is_active,
  m.anonymized_at IS NOT NULL AS is_anonymized,
  to_timestamp(m.created_at / 1000.0) AS created_time,
  to_timestamp(m.updated_at / 1000.0) AS updated_time,
  m.personnel_number AS personnel_number
FROM members m
JOIN organizations o ON o.organization_id = m.organization_id
JOIN users u ON u.user_id = m.user_id;

-- Planned work.
CREATE OR REPLACE VIEW reporting.sessions AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  s.id AS session_id,
  s.title AS session_title,
  date '1970-01-01' + s.date::integer AS date,
  to_timestamp(s.start_time / 1000.0) AS start_time,
  to_timestamp(s.end_time / 1000.0) AS end_time,
  s.location AS location,
  (SELECT count(*) FROM session_assignees a
    WHERE a.organization_id = s.organization_id AND a.session_id = s.session_id) AS assignees
FROM sessions s
JOIN organizations o ON o.organization_id = s.organization_id;

-- The rules of each organization. Null is a rule that no admin has set.
CREATE OR REPLACE VIEW reporting.policy AS
SELECT
  o.id AS organization_id,
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
CREATE OR REPLACE VIEW reporting.pay_rules AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  r.id AS pay_rules_id,
  date '1970-01-01' + r.from_date::integer AS from_date,
  r.break_rules AS break_rules,
  r.break_minimum_seconds AS break_minimum_seconds,
  r.daily_overtime_after AS daily_overtime_seconds,
  r.weekly_overtime_after AS weekly_overtime_seconds,
  -- The name of a day, such as "monday".
  r.week_start AS week_start,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM pay_rules r
JOIN organizations o ON o.organization_id = r.organization_id;

-- The regular time and the overtime of each person's paid day, by the pay rules of its date, or else by the policy of
-- today. A week's days count in their order.
CREATE OR REPLACE VIEW reporting.overtime_by_day AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  date '1970-01-01' + w.date::integer AS date,
  date '1970-01-01' + w.week::integer AS week,
  w.seconds AS seconds,
  -- Null while the policy has break rules, and from the first dated ones on, as paid_seconds is: the service alone knows
  -- their deductions.
  CASE WHEN w.is_known THEN w.paid - w.daily_overtime - w.weekly_overtime END AS regular_seconds,
  CASE WHEN w.is_known THEN w.daily_overtime END AS daily_overtime_seconds,
  CASE WHEN w.is_known THEN w.weekly_overtime END AS weekly_overtime_seconds,
  w.unpaid_break AS unpaid_break_seconds,
  CASE WHEN w.is_known THEN w.paid END AS paid_seconds
FROM organizations o
-- Each organization by itself, so that a query for one reads no other.
CROSS JOIN LATERAL (
  SELECT user_id, date, week, seconds, unpaid_break, paid, daily_overtime,
    o.break_rules = '' AND NOT EXISTS (SELECT 1 FROM pay_rules p WHERE p.organization_id = o.organization_id
      AND p.from_date <= daily.date AND p.break_rules <> '') AS is_known,
    greatest(0, least(paid - daily_overtime,
      (sum(paid - daily_overtime) OVER (PARTITION BY user_id, week ORDER BY date))::bigint
        - coalesce(weekly_overtime_after, 9223372036854775807))) AS weekly_overtime
  FROM (
    SELECT user_id, date, seconds, unpaid_break, paid, r.weekly_overtime_after,
      -- The first date of the week: the first of January 1970 was a Thursday.
      date - (date + 3 + 8 - r.week_start) % 7 AS week,
      greatest(0, paid - coalesce(r.daily_overtime_after, paid)) AS daily_overtime
    FROM (
      SELECT user_id, date, seconds, coalesce(b.seconds_of_breaks, 0) AS unpaid_break,
        seconds - coalesce(b.seconds_of_breaks, 0) AS paid
      FROM (
      SELECT user_id, date,
        sum(greatest(0, coalesce(clock_out, floor(extract(epoch FROM now()) * 1000)::bigint) - clock_in) / 1000)::bigint
          AS seconds
      FROM time_entries
      WHERE organization_id = o.organization_id
      GROUP BY user_id, date
      ) entries
      -- Unpaid breaks, whole on the date of their entry; whole seconds, cut at both ends from the beginning of the entry.
      LEFT JOIN (
        SELECT e.user_id, e.date,
          sum((greatest(s.start_time, coalesce(s.end_time, floor(extract(epoch FROM now()) * 1000)::bigint)) - e.clock_in)
            / 1000 - (s.start_time - e.clock_in) / 1000)::bigint AS seconds_of_breaks
        FROM segments s
        JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
        WHERE s.organization_id = o.organization_id AND s.break_type_id IS NOT NULL AND NOT s.is_paid
        GROUP BY e.user_id, e.date
      ) b USING (user_id, date)
    ) days
    -- The rules of the date; of dates before the first dated ones the policy.
    CROSS JOIN LATERAL (
      SELECT daily_overtime_after, weekly_overtime_after, week_start FROM (
        SELECT from_date, daily_overtime_after, weekly_overtime_after, CASE week_start WHEN 'monday' THEN 1
          WHEN 'tuesday' THEN 2 WHEN 'wednesday' THEN 3 WHEN 'thursday' THEN 4 WHEN 'friday' THEN 5
          WHEN 'saturday' THEN 6 ELSE 7 END AS week_start
        FROM pay_rules WHERE organization_id = o.organization_id AND from_date <= days.date
        UNION ALL
        SELECT NULL, o.daily_overtime_seconds, o.weekly_overtime_seconds, o.week_start
      ) rules
      ORDER BY from_date DESC NULLS LAST LIMIT 1
    ) r
  ) daily
) w
JOIN members m ON m.organization_id = o.organization_id AND m.user_id = w.user_id
JOIN users u ON u.user_id = w.user_id;

-- The projects that people work for. A project without an owner is the organization's.
CREATE OR REPLACE VIEW reporting.projects AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  p.id AS project_id,
  p.name AS project_name,
  p.client AS client,
  p.color AS color,
  u.id AS owner_id,
  m.name AS owner_name,
  p.billable AS is_billable,
  p.archived AS is_archived,
  p.version AS version,
  to_timestamp(p.created_at / 1000.0) AS created_time,
  to_timestamp(p.updated_at / 1000.0) AS updated_time
FROM projects p
JOIN organizations o ON o.organization_id = p.organization_id
LEFT JOIN members m ON m.organization_id = p.organization_id AND m.user_id = p.owner_id
LEFT JOIN users u ON u.user_id = p.owner_id;

-- Pieces of work, of a project or of none. A task without an owner is the organization's.
CREATE OR REPLACE VIEW reporting.tasks AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  t.id AS task_id,
  t.name AS task_name,
  p.id AS project_id,
  p.name AS project_name,
  u.id AS owner_id,
  m.name AS owner_name,
  t.hidden AS is_hidden,
  t.version AS version,
  to_timestamp(t.created_at / 1000.0) AS created_time,
  to_timestamp(t.updated_at / 1000.0) AS updated_time
FROM tasks t
JOIN organizations o ON o.organization_id = t.organization_id
LEFT JOIN projects p ON p.organization_id = t.organization_id AND p.project_id = t.project_id
LEFT JOIN members m ON m.organization_id = t.organization_id AND m.user_id = t.owner_id
LEFT JOIN users u ON u.user_id = t.owner_id;

-- The purposes of time, a row for each segment.
CREATE OR REPLACE VIEW reporting.segments AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  s.id AS segment_id,
  (to_timestamp(s.start_time / 1000.0) AT TIME ZONE s.time_zone)::date AS date,
  to_timestamp(s.start_time / 1000.0) AS start_time,
  -- Null while the segment is open.
  to_timestamp(s.end_time / 1000.0) AS end_time,
  date_trunc('second', to_timestamp(s.start_time / 1000.0) AT TIME ZONE s.time_zone) AS start_local,
  date_trunc('second', to_timestamp(s.end_time / 1000.0) AT TIME ZONE s.time_zone) AS end_local,
  s.time_zone AS time_zone,
  -- Whole seconds; an open segment counts to now.
  greatest(0, coalesce(s.end_time, floor(extract(epoch FROM now()) * 1000)::bigint) - s.start_time) / 1000 AS seconds,
  greatest(0, coalesce(s.end_time, floor(extract(epoch FROM now()) * 1000)::bigint) - s.start_time) / 1000
    / 3600.0 AS hours,
  s.end_time IS NULL AS is_active,
  CASE WHEN s.break_type_id IS NULL THEN 'work' ELSE 'break' END AS kind,
  p.id AS project_id,
  p.name AS project_name,
  p.client AS client,
  t.id AS task_id,
  t.name AS task_name,
  b.id AS break_type_id,
  b.name AS break_type_name,
  -- As the break type and the project said when the segment was written.
  s.is_paid AS is_paid,
  s.billable AS is_billable,
  s.name AS segment_name,
  replace(btrim(s.tags, E'\n'), E'\n', ', ') AS tags,
  s.time_entry_id AS time_entry_id,
  s.source AS source,
  s.version AS version,
  to_timestamp(s.created_at / 1000.0) AS created_time,
  to_timestamp(s.updated_at / 1000.0) AS updated_time
FROM segments s
JOIN organizations o ON o.organization_id = s.organization_id
JOIN members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users u ON u.user_id = s.user_id
LEFT JOIN projects p ON p.organization_id = s.organization_id AND p.project_id = s.project_id
LEFT JOIN tasks t ON t.organization_id = s.organization_id AND t.task_id = s.task_id
LEFT JOIN break_types b ON b.organization_id = s.organization_id AND b.break_type_id = s.break_type_id;

-- Breaks, a row each, with the length that their type expects.
CREATE OR REPLACE VIEW reporting.breaks AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  s.id AS segment_id,
  s.time_entry_id AS time_entry_id,
  b.id AS break_type_id,
  b.name AS break_type_name,
  -- As the break type said when the break was written.
  s.is_paid AS is_paid,
  (to_timestamp(s.start_time / 1000.0) AT TIME ZONE s.time_zone)::date AS date,
  to_timestamp(s.start_time / 1000.0) AS start_time,
  -- Null while the break goes on.
  to_timestamp(s.end_time / 1000.0) AS end_time,
  date_trunc('second', to_timestamp(s.start_time / 1000.0) AT TIME ZONE s.time_zone) AS start_local,
  date_trunc('second', to_timestamp(s.end_time / 1000.0) AT TIME ZONE s.time_zone) AS end_local,
  -- Whole seconds; an open break counts to now.
  greatest(0, coalesce(s.end_time, floor(extract(epoch FROM now()) * 1000)::bigint) - s.start_time) / 1000 AS seconds,
  b.expected_seconds AS expected_seconds,
  s.end_time IS NULL AS is_active
FROM segments s
JOIN organizations o ON o.organization_id = s.organization_id
JOIN members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
JOIN users u ON u.user_id = s.user_id
JOIN break_types b ON b.organization_id = s.organization_id AND b.break_type_id = s.break_type_id;

-- The work of each person on each date for each project, and for none: work in entries, whole, on the local date of its
-- start in the zone that is stored with it. Breaks, and time of entries without a segment, are not in it.
CREATE OR REPLACE VIEW reporting.project_hours_by_day AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  d.date AS date,
  -- Null for work on a task of no project.
  p.id AS project_id,
  p.name AS project_name,
  p.client AS client,
  d.seconds AS seconds,
  d.seconds / 3600.0 AS hours,
  d.segments AS segments,
  d.active_segments AS active_segments
FROM organizations o
-- Each organization by itself, so that a query for one reads no other.
CROSS JOIN LATERAL (
  SELECT s.user_id, s.project_id, (to_timestamp(s.start_time / 1000.0) AT TIME ZONE s.time_zone)::date AS date,
    -- Whole seconds, cut at both ends from the beginning of the entry, so that the sections of an entry lose none.
    sum((greatest(s.start_time, coalesce(s.end_time, floor(extract(epoch FROM now()) * 1000)::bigint)) - e.clock_in) / 1000
      - (s.start_time - e.clock_in) / 1000)::bigint AS seconds,
    count(*) AS segments, count(*) FILTER (WHERE s.end_time IS NULL) AS active_segments
  FROM segments s
  JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
  WHERE s.organization_id = o.organization_id AND s.break_type_id IS NULL
  GROUP BY 1, 2, 3
) d
JOIN members m ON m.organization_id = o.organization_id AND m.user_id = d.user_id
JOIN users u ON u.user_id = d.user_id
LEFT JOIN projects p ON p.organization_id = o.organization_id AND p.project_id = d.project_id;

-- The same, with work cut at local midnight in the organization's zone, as getHistory has it with attribution=split.
CREATE OR REPLACE VIEW reporting.project_hours_by_day_split AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  date '1970-01-01' + d.day::integer AS date,
  p.id AS project_id,
  p.name AS project_name,
  p.client AS client,
  d.seconds AS seconds,
  d.seconds / 3600.0 AS hours,
  d.segments AS segments,
  d.active_segments AS active_segments
FROM organizations o
CROSS JOIN LATERAL (
  SELECT w.user_id, w.project_id, c.day, sum(c.seconds)::bigint AS seconds,
    count(*) AS segments, count(*) FILTER (WHERE w.end_time IS NULL) AS active_segments
  FROM (
    SELECT s.user_id, s.project_id, s.start_time, s.end_time, i.ends, e.clock_in,
      extract(epoch FROM (to_timestamp(e.clock_in / 1000) AT TIME ZONE o.time_zone)
        - (to_timestamp(e.clock_in / 1000) AT TIME ZONE 'UTC'))::bigint * 1000 AS offset_before,
      extract(epoch FROM (to_timestamp((i.ends - 1) / 1000) AT TIME ZONE o.time_zone)
        - (to_timestamp((i.ends - 1) / 1000) AT TIME ZONE 'UTC'))::bigint * 1000 AS offset_after
    FROM segments s
    JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id,
      LATERAL (SELECT coalesce(s.end_time, floor(extract(epoch FROM now()) * 1000)::bigint) AS ends) i
    WHERE s.organization_id = o.organization_id AND s.break_type_id IS NULL AND i.ends > s.start_time
    -- Keeps the offsets from being computed again at each use.
    OFFSET 0
  ) w
  CROSS JOIN LATERAL (
    -- On each date, the whole seconds of the entry up to the segment's end, less those up to its beginning. Nearly all
    -- segments: no clock changes from the entry's begin to their end. No zone changes its offset and changes it back
    -- within a week.
    SELECT l.day,
      (least(w.ends, (l.day + 1) * 86400000 - w.offset_before)
        - greatest(w.clock_in, l.day * 86400000 - w.offset_before)) / 1000
      - (greatest(w.start_time, l.day * 86400000 - w.offset_before)
        - greatest(w.clock_in, l.day * 86400000 - w.offset_before)) / 1000 AS seconds
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7)) n (days_later),
      LATERAL (SELECT (w.start_time + w.offset_before) / 86400000 + days_later AS day) l
    WHERE w.offset_before = w.offset_after AND w.ends - w.clock_in < 604800000
      AND l.day <= (w.ends - 1 + w.offset_before) / 86400000
    UNION ALL
    SELECT t.day, t.milliseconds / 1000 - coalesce(f.milliseconds, 0) / 1000
    FROM reporting.local_days(o.time_zone, w.clock_in, w.ends) t
    LEFT JOIN reporting.local_days(o.time_zone, w.clock_in, w.start_time) f ON f.day = t.day
    WHERE NOT (w.offset_before = w.offset_after AND w.ends - w.clock_in < 604800000)
      AND t.milliseconds > coalesce(f.milliseconds, 0)
  ) c
  GROUP BY w.user_id, w.project_id, c.day
) d
JOIN members m ON m.organization_id = o.organization_id AND m.user_id = d.user_id
JOIN users u ON u.user_id = d.user_id
LEFT JOIN projects p ON p.organization_id = o.organization_id AND p.project_id = d.project_id;

-- What members owe: each row from its date on, until the member's next one.
CREATE OR REPLACE VIEW reporting.schedules AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  r.id AS schedule_id,
  date '1970-01-01' + r.from_date::integer AS from_date,
  -- The seconds of each day from a Monday on, of one to eight weeks that repeat: "28800,28800,28800,28800,28800,0,0".
  r.seconds_by_weekday AS seconds_by_weekday,
  c.id AS holiday_calendar_id,
  c.name AS holiday_calendar_name,
  r.works_on_holidays AS works_on_holidays,
  -- The schedule's own zone, or else the organization's.
  coalesce(r.time_zone, o.time_zone) AS time_zone,
  r.workday_start AS workday_start,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM work_schedules r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id
LEFT JOIN holiday_calendars c ON c.organization_id = r.organization_id AND c.holiday_calendar_id = r.holiday_calendar_id;

-- The holidays of all calendars.
CREATE OR REPLACE VIEW reporting.holidays AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  c.id AS holiday_calendar_id,
  c.name AS holiday_calendar_name,
  r.id AS holiday_id,
  date '1970-01-01' + r.date::integer AS date,
  r.name AS holiday_name,
  r.percent AS percent,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM holidays r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN holiday_calendars c ON c.organization_id = r.organization_id AND c.holiday_calendar_id = r.calendar_id;

-- The days off that members are entitled to.
CREATE OR REPLACE VIEW reporting.entitlements AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  r.id AS entitlement_id,
  r.kind AS kind,
  r.year AS year,
  r.days / 10000.0 AS days,
  r.carried_days / 10000.0 AS carried_days,
  date '1970-01-01' + r.carried_expires::integer AS carried_expires,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM entitlements r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- What was added to members' balances, and taken from them.
CREATE OR REPLACE VIEW reporting.adjustments AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  r.id AS adjustment_id,
  date '1970-01-01' + r.date::integer AS date,
  r.seconds AS seconds,
  r.seconds / 3600.0 AS hours,
  r.kind AS kind,
  r.reason AS reason,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM adjustments r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The people of each group: a row for each part that somebody has in one.
CREATE OR REPLACE VIEW reporting.group_people AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  g.id AS group_id,
  g.name AS group_name,
  u.id AS user_id,
  m.name AS user_name,
  r.part AS part
FROM group_people r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN groups g ON g.organization_id = r.organization_id AND g.group_id = r.group_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The dates on which members are absent. The reason is nobody's business here: neither kinds nor notes are shown.
CREATE OR REPLACE VIEW reporting.absences AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  r.id AS absence_id,
  date '1970-01-01' + r.start_date::integer AS start_date,
  date '1970-01-01' + r.end_date::integer AS end_date,
  r.portion AS portion,
  r.seconds AS seconds,
  r.state AS state,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM absences r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The marks on the time of members who have some.
CREATE OR REPLACE VIEW reporting.periods AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  date '1970-01-01' + r.submitted_through::integer AS submitted_through,
  to_timestamp(r.submitted_until / 1000.0) AS submitted_until_time,
  date '1970-01-01' + r.approved_through::integer AS approved_through,
  to_timestamp(r.approved_until / 1000.0) AS approved_until_time,
  date '1970-01-01' + r.locked_through::integer AS locked_through,
  to_timestamp(r.locked_until / 1000.0) AS locked_until_time,
  r.version AS version,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  to_timestamp(r.updated_at / 1000.0) AS updated_time
FROM periods r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- The totals of dates as they were approved, those too whose approval was taken back.
CREATE OR REPLACE VIEW reporting.approvals AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  u.id AS user_id,
  m.name AS user_name,
  r.id AS approval_id,
  date '1970-01-01' + r.from_date::integer AS from_date,
  date '1970-01-01' + r.through::integer AS through_date,
  r.approved_by AS approved_by_user_id,
  r.planned_seconds AS planned_seconds,
  r.holiday_seconds AS holiday_seconds,
  r.absence_seconds AS absence_seconds,
  r.credited_seconds AS credited_seconds,
  r.target_seconds AS target_seconds,
  r.paid_seconds AS paid_seconds,
  r.adjustment_seconds AS adjustment_seconds,
  r.balance_seconds AS balance_seconds,
  to_timestamp(r.created_at / 1000.0) AS created_time,
  r.daily_overtime_seconds AS daily_overtime_seconds,
  r.weekly_overtime_seconds AS weekly_overtime_seconds
FROM approvals r
JOIN organizations o ON o.organization_id = r.organization_id
JOIN members m ON m.organization_id = r.organization_id AND m.user_id = r.user_id
JOIN users u ON u.user_id = r.user_id;

-- Changes with their actor, time and reason, in the order of the chain of hashes. A change is here a moment after its
-- commit, when it has got its place in the chain.
CREATE OR REPLACE VIEW reporting.audit AS
SELECT
  o.id AS organization_id,
  o.name AS organization_name,
  s.sequence AS sequence,
  to_timestamp(c.time / 1000.0) AS time,
  c.author_means AS author_means,
  c.author_id AS author_id,
  -- As the person is called today; null for the operator and the service.
  m.name AS author_name,
  c.author_token_id AS author_token_id,
  c.request_id AS request_id,
  c.operation AS operation,
  c.kind AS kind,
  c.resource AS resource,
  c.resource_id AS resource_id,
  -- The resource as JSON: instants in it are milliseconds since 1970, dates days.
  -- Null of absences, which would tell their kinds.
  CASE WHEN c.resource <> 'absence' THEN c.before END AS before,
  CASE WHEN c.resource <> 'absence' THEN c.after END AS after,
  c.reason AS reason,
  c.salt IS NULL AS is_erased
FROM change_seals s
JOIN changes c ON c.organization_id = s.organization_id AND c.change_number = s.change_number
JOIN organizations o ON o.organization_id = s.organization_id
LEFT JOIN users u ON u.id = c.author_id
LEFT JOIN members m ON m.organization_id = s.organization_id AND m.user_id = u.user_id
ORDER BY s.organization_id, s.sequence;

-- A role that reads the views, and nothing else. Roles are the whole cluster's, so it may be there.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'timeclock_reporting') THEN
    CREATE ROLE timeclock_reporting NOLOGIN;
  END IF;
END $$;
ALTER ROLE timeclock_reporting SET default_transaction_read_only = on;
-- If PUBLIC may not connect (docs/postgresql.md), this role could not.
DO $$
BEGIN
  IF has_database_privilege(current_database(), 'CONNECT WITH GRANT OPTION') THEN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO timeclock_reporting', current_database());
  ELSIF NOT has_database_privilege('timeclock_reporting', current_database(), 'CONNECT') THEN
    RAISE WARNING 'timeclock_reporting may not connect: have the owner of the database run GRANT CONNECT ON DATABASE % TO timeclock_reporting',
      quote_ident(current_database());
  END IF;
END $$;
GRANT USAGE ON SCHEMA reporting TO timeclock_reporting;
GRANT SELECT ON reporting.hours_by_day, reporting.hours_by_day_split, reporting.open_entries, reporting.overlaps,
  reporting.audit, reporting.time_entries, reporting.members, reporting.sessions, reporting.policy,
  reporting.overtime_by_day, reporting.projects, reporting.tasks, reporting.segments, reporting.breaks,
  reporting.project_hours_by_day, reporting.project_hours_by_day_split, reporting.schedules, reporting.holidays,
  reporting.entitlements, reporting.adjustments, reporting.group_people, reporting.absences,
  reporting.periods, reporting.approvals, reporting.pay_rules TO timeclock_reporting;
REVOKE EXECUTE ON FUNCTION reporting.local_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reporting.local_days TO timeclock_reporting;

COMMIT;

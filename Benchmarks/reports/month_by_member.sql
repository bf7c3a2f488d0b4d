-- The same: one descent of the primary key for each member.
\set organization random(1, :organizations)
\set first random(:first, :last)
SELECT m.user_id, e.seconds, e.entries
FROM members m
CROSS JOIN LATERAL (
  SELECT sum((least(coalesce(clock_out, :as_of::bigint), (:first + 30)::bigint * 86400000) - greatest(clock_in, :first::bigint * 86400000))
    / 1000) AS seconds, count(*) AS entries
  FROM time_entries t
  WHERE t.organization_id = :organization AND t.user_id = m.user_id AND date BETWEEN :first - 1 AND :first + 30
    AND clock_in < (:first + 30)::bigint * 86400000 AND coalesce(clock_out, :as_of::bigint) > :first::bigint * 86400000) e
WHERE m.organization_id = :organization;

-- 30 days by person of one organization: one range of dates.
\set organization random(1, :organizations)
\set first random(:first, :last)
SELECT user_id,
  sum((least(coalesce(clock_out, :as_of::bigint), (:first + 30)::bigint * 86400000) - greatest(clock_in, :first::bigint * 86400000)) / 1000),
  count(*)
FROM time_entries
WHERE organization_id = :organization AND date BETWEEN :first - 1 AND :first + 30
  AND clock_in < (:first + 30)::bigint * 86400000 AND coalesce(clock_out, :as_of::bigint) > :first::bigint * 86400000
GROUP BY user_id;

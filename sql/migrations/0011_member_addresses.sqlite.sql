-- A member's e-mail address as the organization's admin wrote it: an account may be another organization's too, and how
-- that one spells the address, or calls the person, is its own (docs/decisions/0004-contract.md).

ALTER TABLE members ADD COLUMN email TEXT NOT NULL DEFAULT '';

-- As it was shown so far, and stands in the log of changes; members who are nobody any more have none.
UPDATE members SET email = (SELECT u.email FROM users u WHERE u.user_id = members.user_id)
WHERE anonymized_at IS NULL;

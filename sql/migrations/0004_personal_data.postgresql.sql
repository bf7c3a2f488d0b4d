-- Members who are nobody any more: what is known of a person can be taken away, and their times stay.
--
-- docs/personal-data.md says what goes and what stays.

-- When the member was anonymized; the person never comes back as this member.
ALTER TABLE members ADD COLUMN anonymized_at BIGINT;

-- What was deleted is found by whose it was. The content of such a change is written by the program in one form, and
-- within a text every quotation mark has a backslash before it.
CREATE INDEX changes_of_deleted
ON changes (organization_id, substr(before, strpos(before, '"userId":"') + 10, 36)) WHERE kind = 'deleted';

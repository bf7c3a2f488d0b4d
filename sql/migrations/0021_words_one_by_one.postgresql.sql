-- On SQLite this changes how the words that a column may hold are compared. PostgreSQL compares them in an array of the plan:
-- nothing to change.

SELECT 1;

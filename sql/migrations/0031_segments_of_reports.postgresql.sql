-- A report reads the segments of a span out of this index alone, where it asks for no tag: their rows lie as they were written,
-- mostly one to a page. Tags are not in it, because they may be too long for an index.
DROP INDEX segments_by_time;
CREATE INDEX segments_by_time ON segments (organization_id, start_time)
  INCLUDE (user_id, end_time, time_entry_id, project_id, task_id, break_type_id, is_paid, billable);

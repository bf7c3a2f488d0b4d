-- Members' own timers (focus, breaks, rests), with what they leave. They are nobody else's: no log, report or list of an
-- organization shows them, and nothing here refers to time entries. Instants and lengths are in milliseconds.

-- One row for each member who has ever had a timer, or settings of their own; it stays when the timer is over.
CREATE TABLE timers (
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  state TEXT NOT NULL CONSTRAINT timers_state CHECK (state IN ('reset', 'running', 'paused', 'finished')),
  -- From here to subject_name it is the timer's, and null while there is none.
  id BLOB CONSTRAINT timers_id_length CHECK (length(id) = 16),
  type TEXT CONSTRAINT timers_type CHECK (type IN ('focus', 'shortBreak', 'longBreak', 'rest')),
  start_time INTEGER,
  -- Of a countdown; null for what counts up.
  end_time INTEGER,
  last_start_time INTEGER,
  paused_since INTEGER,
  paused_by_background INTEGER CONSTRAINT timers_paused_by_background CHECK (paused_by_background IN (0, 1)),
  finished_at INTEGER,
  paused_time INTEGER CONSTRAINT timers_paused_time CHECK (paused_time >= 0),
  -- Of what counts up the longest time that it runs, without pauses.
  original_time INTEGER,
  adjusted_time INTEGER,
  was_adjusted INTEGER CONSTRAINT timers_was_adjusted CHECK (was_adjusted IN (0, 1)),
  pauses_in_background INTEGER CONSTRAINT timers_pauses_in_background CHECK (pauses_in_background IN (0, 1)),
  background_since INTEGER,
  label TEXT CONSTRAINT timers_label_length CHECK (length(label) BETWEEN 1 AND 200),
  -- By their public ids, without a foreign key: they are a note of the member's, and must not be in the way of a project
  -- that is to be deleted. What is gone is no longer shown.
  project_id BLOB CONSTRAINT timers_project_id_length CHECK (length(project_id) = 16),
  task_id BLOB CONSTRAINT timers_task_id_length CHECK (length(task_id) = 16),
  subject_id TEXT CONSTRAINT timers_subject_id_length CHECK (length(subject_id) BETWEEN 1 AND 100),
  subject_name TEXT CONSTRAINT timers_subject_name_length CHECK (length(subject_name) BETWEEN 1 AND 200),
  streak INTEGER NOT NULL CONSTRAINT timers_streak CHECK (streak >= 0),
  last_focus_end INTEGER,
  auto_starts INTEGER NOT NULL CONSTRAINT timers_auto_starts CHECK (auto_starts >= 0),
  -- JSON; null for none.
  routine TEXT,
  -- JSON; null for those that nobody has stated.
  settings TEXT,
  last_command_time INTEGER,
  -- JSON: it as the last command left it; null unless time alone has changed it since.
  past TEXT,
  -- The time at which it changes by itself next.
  due_at INTEGER,
  version INTEGER NOT NULL CONSTRAINT timers_version CHECK (version BETWEEN 1 AND 9007199254740991),
  updated_at INTEGER NOT NULL,
  CONSTRAINT timers_key PRIMARY KEY (organization_id, user_id),
  CONSTRAINT timers_member FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
  CONSTRAINT timers_none CHECK (
    CASE WHEN state = 'reset'
    THEN coalesce(
      id, type, start_time, end_time, last_start_time, paused_since, paused_by_background, finished_at,
      paused_time, original_time, adjusted_time, was_adjusted, pauses_in_background, background_since, label, project_id,
      task_id, subject_id, subject_name, due_at) IS NULL
    ELSE id IS NOT NULL AND type IS NOT NULL AND start_time IS NOT NULL AND last_start_time IS NOT NULL
      AND paused_by_background IS NOT NULL AND paused_time IS NOT NULL AND original_time IS NOT NULL
      AND adjusted_time IS NOT NULL AND was_adjusted IS NOT NULL AND pauses_in_background IS NOT NULL
      AND due_at IS NOT NULL END),
  CONSTRAINT timers_paused CHECK ((state = 'paused') = (paused_since IS NOT NULL)),
  CONSTRAINT timers_finished CHECK ((state = 'finished') = (finished_at IS NOT NULL)),
  CONSTRAINT timers_subject CHECK ((subject_id IS NULL) = (subject_name IS NULL)),
  -- Only a focus counts up.
  CONSTRAINT timers_countdown CHECK (state = 'reset' OR type = 'focus' OR end_time IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- What the service looks for: the timers that change next.
CREATE INDEX timers_due ON timers (due_at) WHERE due_at IS NOT NULL;

-- The time that a timer leaves when it is over.
CREATE TABLE timer_sessions (
  -- Out of row_numbers, and never given twice.
  timer_session_id INTEGER PRIMARY KEY,
  organization_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  -- Its timer's.
  id BLOB NOT NULL CONSTRAINT timer_sessions_id_length CHECK (length(id) = 16),
  type TEXT NOT NULL CONSTRAINT timer_sessions_type CHECK (type IN ('focus', 'shortBreak', 'longBreak', 'rest')),
  start_time INTEGER NOT NULL,
  end_time INTEGER NOT NULL,
  minutes INTEGER NOT NULL CONSTRAINT timer_sessions_minutes CHECK (minutes >= 1),
  interruption_minutes INTEGER NOT NULL
    CONSTRAINT timer_sessions_interruption_minutes CHECK (interruption_minutes >= 0),
  seconds INTEGER NOT NULL CONSTRAINT timer_sessions_seconds CHECK (seconds >= 0),
  label TEXT CONSTRAINT timer_sessions_label_length CHECK (length(label) BETWEEN 1 AND 200),
  -- As in timers.
  project_id BLOB CONSTRAINT timer_sessions_project_id_length CHECK (length(project_id) = 16),
  task_id BLOB CONSTRAINT timer_sessions_task_id_length CHECK (length(task_id) = 16),
  outcome TEXT NOT NULL CONSTRAINT timer_sessions_outcome CHECK (outcome IN ('finished', 'skipped', 'stopped')),
  notes TEXT,
  archived INTEGER NOT NULL CONSTRAINT timer_sessions_archived CHECK (archived IN (0, 1)),
  created_at INTEGER NOT NULL,
  CONSTRAINT timer_sessions_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id),
  CONSTRAINT timer_sessions_order CHECK (end_time > start_time)
) STRICT;

-- The last word where several notice the end of one timer: it leaves one session.
CREATE UNIQUE INDEX timer_sessions_once ON timer_sessions (organization_id, user_id, start_time, type);
CREATE UNIQUE INDEX timer_sessions_by_id ON timer_sessions (organization_id, id);
-- What has been kept for long enough.
CREATE INDEX timer_sessions_by_end ON timer_sessions (organization_id, end_time);

-- For how many days sessions of timers are kept.
ALTER TABLE organizations ADD COLUMN timer_session_days INTEGER NOT NULL DEFAULT 730
  CONSTRAINT organizations_timer_session_days CHECK (timer_session_days BETWEEN 1 AND 3650);

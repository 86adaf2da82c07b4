-- Named jobs: the last due time that was run, who is running one now and until when that is believed, and how the last
-- tries went. A due time counts as run once its row says so.
CREATE TABLE jobs_job (
  name {{text}} PRIMARY KEY,
  last_due_ms {{integer}} NOT NULL,
  holder {{text}},
  held_until_ms {{integer}} NOT NULL,
  failures {{integer}} NOT NULL,
  retry_at_ms {{integer}} NOT NULL,
  error {{text}} NOT NULL,
  ran_at_ms {{integer}} NOT NULL,
  took_ms {{integer}} NOT NULL
);

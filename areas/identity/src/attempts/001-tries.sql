-- Tries that may be wrong: counted before they are judged, locked for longer each time.
CREATE TABLE attempts_try (
  key {{text}} PRIMARY KEY,
  failures {{integer}} NOT NULL,
  locks {{integer}} NOT NULL,
  locked_until_ms {{integer}} NOT NULL,
  last_at_ms {{integer}} NOT NULL
);
CREATE INDEX attempts_try_by_time ON attempts_try (last_at_ms);

-- The one code that is good for a purpose and a receiver. `mark` is a keyed digest: a copy of the database tells no code.
CREATE TABLE codes_code (
  key {{text}} PRIMARY KEY,
  mark {{text}} NOT NULL,
  tries_left {{integer}} NOT NULL,
  sent_at_ms {{integer}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL,
  day_count {{integer}} NOT NULL,
  day_start_ms {{integer}} NOT NULL
);
CREATE INDEX codes_code_by_time ON codes_code (sent_at_ms);

-- Statements people asked for: what of, how far they are, and their text in parts once they are made.
CREATE TABLE statements_file (
  file_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  format {{text}} NOT NULL,
  -- Empty for all coins.
  asset {{text}} NOT NULL,
  basis {{text}} NOT NULL,
  from_ms {{integer}} NOT NULL,
  to_ms {{integer}} NOT NULL,
  -- WAITING, MAKING, DONE or FAILED with a reason.
  state {{text}} NOT NULL,
  reason {{text}} NOT NULL,
  rows_done {{integer}} NOT NULL,
  rows_all {{integer}} NOT NULL,
  parts {{integer}} NOT NULL,
  bytes {{integer}} NOT NULL,
  sha256 {{text}} NOT NULL,
  journal_head {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  UNIQUE (user_id, client_id)
);
CREATE INDEX statements_file_by_state ON statements_file (state, created_ms);
CREATE TABLE statements_part (
  file_id {{text}} NOT NULL,
  part {{integer}} NOT NULL,
  text {{text}} NOT NULL,
  PRIMARY KEY (file_id, part)
);

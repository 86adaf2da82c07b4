-- What operators have suspended for a user, by part. A row is written before it is enforced; `is_applied` says that it is.
CREATE TABLE restrictions_part (
  user_id {{integer}} NOT NULL,
  part {{text}} NOT NULL CHECK (part IN ('signIn', 'trading', 'transfers', 'withdrawals')),
  reason {{text}} NOT NULL,
  set_by {{integer}} NOT NULL,
  set_ms {{integer}} NOT NULL,
  is_applied {{boolean}} NOT NULL,
  PRIMARY KEY (user_id, part)
);
CREATE INDEX restrictions_part_by_time ON restrictions_part (set_ms);

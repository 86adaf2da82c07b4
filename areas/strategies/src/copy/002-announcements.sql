-- What leaders told their followers: bounded by day, told once however often it is sent.
CREATE TABLE copy_announcement (
  leader {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  text {{text}} NOT NULL,
  told_ms {{integer}} NOT NULL,
  PRIMARY KEY (leader, client_id)
);
CREATE INDEX copy_announcement_by_time ON copy_announcement (leader, told_ms);

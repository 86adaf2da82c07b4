-- Addresses native apps gave for notices on a phone. Private ones belong to a user; public ones to nobody and hear only
-- what everybody may hear.
CREATE TABLE push_token (
  token {{text}} PRIMARY KEY,
  shell {{text}} NOT NULL CHECK (shell IN ('ios', 'android', 'flutter')),
  user_id {{integer}},
  locale {{text}} NOT NULL,
  seen_at_ms {{integer}} NOT NULL
);
CREATE INDEX push_token_by_user ON push_token (user_id, seen_at_ms);
CREATE INDEX push_token_by_age ON push_token (seen_at_ms);

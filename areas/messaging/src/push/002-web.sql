-- Browsers receive pushes as phones do. The table is made anew because a check cannot be changed in place.
CREATE TABLE push_token_new (
  token {{text}} PRIMARY KEY,
  shell {{text}} NOT NULL CHECK (shell IN ('ios', 'android', 'flutter', 'web')),
  user_id {{integer}},
  locale {{text}} NOT NULL,
  seen_at_ms {{integer}} NOT NULL
);
INSERT INTO push_token_new (token, shell, user_id, locale, seen_at_ms)
  SELECT token, shell, user_id, locale, seen_at_ms FROM push_token;
DROP TABLE push_token;
ALTER TABLE push_token_new RENAME TO push_token;
CREATE INDEX push_token_by_user ON push_token (user_id, seen_at_ms);
CREATE INDEX push_token_by_age ON push_token (seen_at_ms);

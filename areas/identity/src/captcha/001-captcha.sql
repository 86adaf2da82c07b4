-- Puzzles that were answered: each counts once. Rows outlive the puzzle, then go.
CREATE TABLE captcha_used (
  id {{text}} PRIMARY KEY,
  expires_at_ms {{integer}} NOT NULL
);
CREATE INDEX captcha_used_by_time ON captcha_used (expires_at_ms);

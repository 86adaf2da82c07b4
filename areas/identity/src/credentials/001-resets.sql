-- Forgotten passwords whose code was right. The id is a digest of what the caller holds.
CREATE TABLE credentials_reset (
  id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);

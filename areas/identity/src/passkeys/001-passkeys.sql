-- Passkeys of accounts. Public keys only: there is nothing here to steal.
CREATE TABLE passkeys_key (
  id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  name {{text}} NOT NULL,
  public_key {{bytes}} NOT NULL,
  counter {{integer}} NOT NULL,
  transports {{text}} NOT NULL,
  created_at_ms {{integer}} NOT NULL,
  used_at_ms {{integer}} NOT NULL
);
CREATE INDEX passkeys_key_by_user ON passkeys_key (user_id);

-- Challenges on their way; each is answered once. User 0 is whoever signs in.
CREATE TABLE passkeys_challenge (
  challenge {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);
CREATE INDEX passkeys_challenge_by_time ON passkeys_challenge (expires_at_ms);

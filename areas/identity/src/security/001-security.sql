-- Authenticators. `sealed` is the encrypted shared secret; `last_step` is the newest code used, so that none counts twice.
CREATE TABLE security_totp (
  user_id {{integer}} PRIMARY KEY,
  sealed {{bytes}} NOT NULL,
  is_bound {{boolean}} NOT NULL,
  last_step {{integer}} NOT NULL,
  created_at_ms {{integer}} NOT NULL
);

CREATE TABLE security_setting (
  user_id {{integer}} PRIMARY KEY,
  trade_hash {{text}},
  anti_phishing {{text}}
);

-- Why withdrawals rest and until when; a further cause extends, never shortens.
CREATE TABLE security_lock (
  user_id {{integer}} NOT NULL,
  cause {{text}} NOT NULL,
  ends_at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, cause)
);

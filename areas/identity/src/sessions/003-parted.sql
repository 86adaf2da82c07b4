-- Wrong tries and sign-ins by picture have slices of their own. Locks move with them; pictures live two minutes.
INSERT INTO attempts_try (key, failures, locks, locked_until_ms, last_at_ms)
  SELECT key, failures, locks, locked_until_ms, last_at_ms FROM sessions_attempt;
DROP TABLE sessions_attempt;
DROP TABLE sessions_qr;

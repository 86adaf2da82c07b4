-- Open sessions. The secrets themselves are nowhere: they are recomputed from id and generation with the installation's key.
CREATE TABLE sessions_session (
  id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  generation {{integer}} NOT NULL,
  rotated_at_ms {{integer}} NOT NULL,
  created_at_ms {{integer}} NOT NULL,
  seen_at_ms {{integer}} NOT NULL,
  ends_at_ms {{integer}} NOT NULL,
  is_kept {{boolean}} NOT NULL,
  verified_at_ms {{integer}} NOT NULL,
  device_key {{text}} NOT NULL,
  device_name {{text}} NOT NULL,
  address {{text}} NOT NULL,
  method {{text}} NOT NULL
);
CREATE INDEX sessions_session_by_user ON sessions_session (user_id);
CREATE INDEX sessions_session_by_end ON sessions_session (ends_at_ms);

-- Devices an account has been used from; a device is trusted once its owner proved to be at it.
CREATE TABLE sessions_device (
  user_id {{integer}} NOT NULL,
  device_key {{text}} NOT NULL,
  name {{text}} NOT NULL,
  address {{text}} NOT NULL,
  first_at_ms {{integer}} NOT NULL,
  last_at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, device_key)
);

CREATE TABLE sessions_activity (
  id {{identity}},
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  address {{text}} NOT NULL,
  device_name {{text}} NOT NULL,
  at_ms {{integer}} NOT NULL
);
CREATE INDEX sessions_activity_by_user ON sessions_activity (user_id, id);

-- Tries that may be wrong: counted before they are judged, locked for longer each time.
CREATE TABLE sessions_attempt (
  key {{text}} PRIMARY KEY,
  failures {{integer}} NOT NULL,
  locks {{integer}} NOT NULL,
  locked_until_ms {{integer}} NOT NULL,
  last_at_ms {{integer}} NOT NULL
);
CREATE INDEX sessions_attempt_by_time ON sessions_attempt (last_at_ms);

-- Sign-ins whose password was right and whose further checks are open. The id is a digest of what the caller holds.
CREATE TABLE sessions_ticket (
  id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  passed {{text}} NOT NULL,
  device_key {{text}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);
CREATE INDEX sessions_ticket_by_time ON sessions_ticket (expires_at_ms);

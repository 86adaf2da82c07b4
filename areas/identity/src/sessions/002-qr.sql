-- Sign-ins shown as a picture in one browser and confirmed on a signed-in device. The secret of the showing browser is
-- kept as a digest; a photograph of the picture opens nothing.
CREATE TABLE sessions_qr (
  id {{text}} PRIMARY KEY,
  secret {{text}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('NEW', 'SCANNED', 'CONFIRMED', 'REJECTED', 'DONE')),
  user_id {{integer}} NOT NULL,
  device_name {{text}} NOT NULL,
  address {{text}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);
CREATE INDEX sessions_qr_by_time ON sessions_qr (expires_at_ms);

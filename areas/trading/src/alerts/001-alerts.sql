-- Prices a user wants to hear of. Waits while fired_at_ms is null; is_told says that its letter was written.
CREATE TABLE alerts_alert (
  id {{identity}},
  user_id {{integer}} NOT NULL,
  pair_code {{text}} NOT NULL,
  direction {{text}} NOT NULL,
  price {{text}} NOT NULL,
  created_at_ms {{integer}} NOT NULL,
  fired_at_ms {{integer}},
  fired_price {{text}},
  is_told {{boolean}} NOT NULL
);
CREATE INDEX alerts_alert_by_user ON alerts_alert (user_id, id);
CREATE INDEX alerts_alert_by_end ON alerts_alert (is_told, id);

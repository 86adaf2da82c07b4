-- Short notes people keep for themselves, so many slots each.
CREATE TABLE notes_note (
  user_id {{integer}} NOT NULL,
  slot {{integer}} NOT NULL CHECK (slot >= 1 AND slot <= 20),
  text {{text}} NOT NULL,
  kept_at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, slot)
);
CREATE INDEX notes_note_by_age ON notes_note (kept_at_ms);

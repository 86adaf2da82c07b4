-- Letters to a user, newest last by number.
CREATE TABLE letters_letter (
  id {{identity}},
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  title {{text}} NOT NULL,
  body {{text}} NOT NULL,
  is_read {{boolean}} NOT NULL,
  created_at_ms {{integer}} NOT NULL
);
CREATE INDEX letters_letter_by_user ON letters_letter (user_id, id);
CREATE INDEX letters_letter_unread ON letters_letter (user_id, is_read);

-- Operators' notes about a user. A note is added and never changed; `number` bounds them.
CREATE TABLE people_note (
  user_id {{integer}} NOT NULL,
  number {{integer}} NOT NULL CHECK (number >= 1 AND number <= 500),
  operator_id {{integer}} NOT NULL,
  text {{text}} NOT NULL,
  at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, number)
);

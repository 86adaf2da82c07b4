-- What users owe the house after a reorganisation took back what they had spent; a row stays when nothing is owed any more.
CREATE TABLE engine_debts (
  user_id {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  owed_units {{amount}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, asset)
);

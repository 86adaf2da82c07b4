-- One row for each who ever asked for a statement: it is held while what he has is counted.
CREATE TABLE statements_owner (
  user_id {{integer}} PRIMARY KEY,
  asked {{integer}} NOT NULL
);

-- One row for each who ever kept a payment account: it is held while his accounts are compared and changed.
CREATE TABLE otcpeople_owner (
  user_id {{integer}} PRIMARY KEY,
  changes {{integer}} NOT NULL
);

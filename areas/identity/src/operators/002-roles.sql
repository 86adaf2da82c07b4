-- What an operator may do. The account itself belongs to the users slice; without a row here it may do nothing.
CREATE TABLE operators_role (
  user_id {{integer}} NOT NULL,
  role {{text}} NOT NULL,
  granted_by {{integer}} NOT NULL,
  granted_at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, role)
);

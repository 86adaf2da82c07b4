-- The name by which operators distinguish each other. `folded` compares names without case and spacing: no two operators
-- share one, also after one of them has left.
CREATE TABLE operators_name (
  user_id {{integer}} PRIMARY KEY,
  name {{text}} NOT NULL,
  folded {{text}} NOT NULL UNIQUE,
  named_by {{integer}} NOT NULL,
  named_at_ms {{integer}} NOT NULL
);
-- What was done to one user, and what one operator did.
CREATE INDEX operators_audit_by_subject ON operators_audit (subject, id);
CREATE INDEX operators_audit_by_operator ON operators_audit (operator_id, id);

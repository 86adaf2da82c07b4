-- What operators did, in order. Rows are only ever added; each carries a digest of itself and of the row before.
CREATE TABLE operators_audit (
  id {{identity}},
  operator_id {{integer}} NOT NULL,
  action {{text}} NOT NULL,
  subject {{text}} NOT NULL,
  detail {{text}} NOT NULL,
  address {{text}} NOT NULL,
  at_ms {{integer}} NOT NULL,
  digest {{text}} NOT NULL
);

-- Bills of at least an amount: the largest change of a day tells which days have one, and the index of kinds tells which rows.
CREATE TABLE engine_bill_days_large (
  account {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  business {{text}} NOT NULL,
  units {{amount}} NOT NULL,
  bills {{integer}} NOT NULL,
  most_units {{amount}} NOT NULL,
  PRIMARY KEY (account, day, asset, business)
) {{clustered}};
INSERT INTO engine_bill_days_large
  SELECT account, time_ms / 86400000, asset, business, sum(delta_units), count(*), max(abs(delta_units))
  FROM engine_bills GROUP BY account, time_ms / 86400000, asset, business;
DROP TABLE engine_bill_days;
ALTER TABLE engine_bill_days_large RENAME TO engine_bill_days;
DROP INDEX engine_bills_by_kind;
CREATE INDEX engine_bills_by_kind ON engine_bills (account, asset, business, sequence, line, time_ms, delta_units)
  WHERE account >= 16;
-- What contracts moved, contract by contract; spot's own bills are most of all and are not asked for by pair.
CREATE INDEX engine_bills_by_market ON engine_bills (account, market, asset, business, sequence, line)
  WHERE account >= 16 AND business NOT IN ('trade', 'fee');

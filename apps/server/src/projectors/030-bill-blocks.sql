-- The largest change in each 2 048 sequences of the journal: on a day with very many bills, only blocks that have a large one
-- are read, however many bills the day has.
CREATE TABLE engine_bill_blocks (
  account {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  business {{text}} NOT NULL,
  block {{integer}} NOT NULL,
  most_units {{amount}} NOT NULL,
  PRIMARY KEY (account, asset, business, block)
) {{clustered}};
INSERT INTO engine_bill_blocks
  SELECT account, asset, business, sequence / 2048, max(abs(delta_units))
  FROM engine_bills WHERE account >= 16 GROUP BY account, asset, business, sequence / 2048;

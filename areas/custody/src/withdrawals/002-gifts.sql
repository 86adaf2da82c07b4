-- What stands on the house's addresses beyond everything that explains it: sent by somebody who owes nothing and is owed
-- nothing. Young while the blocks it was seen in may be replaced, or an explanation may still come.
CREATE TABLE withdrawals_gift (
  asset {{text}} NOT NULL,
  seen_ms {{integer}} NOT NULL,
  -- In 1e-30 of the coin, which outgrows 64 bits.
  fine_units {{text}} NOT NULL,
  -- How far the coin's networks had been read when it was seen, as JSON.
  blocks {{text}} NOT NULL,
  is_kept {{boolean}} NOT NULL,
  PRIMARY KEY (asset, seen_ms)
);

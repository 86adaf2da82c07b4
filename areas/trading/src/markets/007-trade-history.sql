-- Public trades from the first on. An aggregate is what one order traded at one price; those of before are one trade each.
ALTER TABLE markets_trade ADD COLUMN aggregate {{integer}} NOT NULL DEFAULT 0;
UPDATE markets_trade SET aggregate = number;
-- Trades that left the rows, in blocks: see trade-block.ts for the bytes, which move to a file when they are a day old.
CREATE TABLE markets_trade_block (
  market {{integer}} NOT NULL,
  first {{integer}} NOT NULL,
  last {{integer}} NOT NULL,
  first_aggregate {{integer}} NOT NULL,
  last_aggregate {{integer}} NOT NULL,
  from_ms {{integer}} NOT NULL,
  to_ms {{integer}} NOT NULL,
  bytes {{bytes}},
  file {{text}},
  PRIMARY KEY (market, first)
);
CREATE INDEX markets_trade_block_by_time ON markets_trade_block (market, to_ms);
-- How much the book held near its middle, sampled every half minute: levels is the JSON of depth-rules.ts.
CREATE TABLE markets_depth (
  market {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  levels {{text}} NOT NULL,
  PRIMARY KEY (market, time_ms)
);

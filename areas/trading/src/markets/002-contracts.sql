-- Perpetual contracts beside spot pairs. A market's kind is spot, linear or inverse; tick_lot_units holds the factor of
-- its values, of inverse contracts settlement units × ticks of a lot.
ALTER TABLE markets_pair ADD COLUMN kind {{text}} NOT NULL DEFAULT 'spot';
-- Series nobody trades in: 1 mark, 2 index, 3 open interest in lots. span_ms: 60 000 or 3 600 000.
CREATE TABLE markets_price_candle (
  market {{integer}} NOT NULL,
  series {{integer}} NOT NULL,
  span_ms {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  open {{integer}} NOT NULL,
  high {{integer}} NOT NULL,
  low {{integer}} NOT NULL,
  close {{integer}} NOT NULL,
  PRIMARY KEY (market, series, span_ms, time_ms)
);
-- Candles made by the generator before the exchange ran, 1 440 of one span in a row: see kit/src/candles/candle-block.ts for the
-- bytes. Series 0 are trades, the others as above.
CREATE TABLE markets_block (
  market {{integer}} NOT NULL,
  series {{integer}} NOT NULL,
  span_ms {{integer}} NOT NULL,
  from_ms {{integer}} NOT NULL,
  bytes {{bytes}} NOT NULL,
  PRIMARY KEY (market, series, span_ms, from_ms)
);
INSERT INTO markets_block (market, series, span_ms, from_ms, bytes)
  SELECT market, 0, 60000, day_ms, bytes FROM markets_history;
DROP TABLE markets_history;
-- Every settlement of funding; rates and premiums in 1e-8.
CREATE TABLE markets_funding (
  market {{integer}} NOT NULL,
  due_ms {{integer}} NOT NULL,
  rate {{integer}} NOT NULL,
  premium {{integer}} NOT NULL,
  samples {{integer}} NOT NULL,
  mark {{integer}} NOT NULL,
  positions {{integer}} NOT NULL,
  is_generated {{boolean}} NOT NULL,
  PRIMARY KEY (market, due_ms)
);
-- Public prints of liquidations, without the person; lots are positive when a long was liquidated.
CREATE TABLE markets_liquidation (
  market {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  price {{integer}} NOT NULL,
  lots {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (market, sequence, place)
);
-- The insurance fund by coin and UTC day: what it holds at the end, what came and what went.
CREATE TABLE markets_fund (
  asset {{integer}} NOT NULL,
  day_ms {{integer}} NOT NULL,
  balance_units {{amount}} NOT NULL,
  in_units {{amount}} NOT NULL,
  out_units {{amount}} NOT NULL,
  PRIMARY KEY (asset, day_ms)
);

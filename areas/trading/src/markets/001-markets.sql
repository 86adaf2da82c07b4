-- Market data made from the core's trades. Prices are ticks, quantities lots, turnovers quote units of their market.
CREATE TABLE markets_cursor (
  name {{text}} PRIMARY KEY,
  journal {{text}} NOT NULL,
  sequence {{integer}} NOT NULL
);
CREATE TABLE markets_pair (
  market {{integer}} PRIMARY KEY,
  tick_lot_units {{integer}} NOT NULL,
  listed_at_ms {{integer}} NOT NULL
);
-- span_ms: 1 000, 60 000 or 3 600 000. A time without trades has no row.
CREATE TABLE markets_candle (
  market {{integer}} NOT NULL,
  span_ms {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  open {{integer}} NOT NULL,
  high {{integer}} NOT NULL,
  low {{integer}} NOT NULL,
  close {{integer}} NOT NULL,
  lots {{integer}} NOT NULL,
  quote_units {{amount}} NOT NULL,
  trades {{integer}} NOT NULL,
  is_generated {{boolean}} NOT NULL,
  PRIMARY KEY (market, span_ms, time_ms)
);
-- Minutes made by the generator before the exchange ran, a UTC day in a row: see history-rules.ts for the bytes.
CREATE TABLE markets_history (
  market {{integer}} NOT NULL,
  day_ms {{integer}} NOT NULL,
  bytes {{bytes}} NOT NULL,
  PRIMARY KEY (market, day_ms)
);
CREATE TABLE markets_trade (
  market {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  price {{integer}} NOT NULL,
  lots {{integer}} NOT NULL,
  is_sell {{boolean}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (market, number)
);
CREATE TABLE markets_favourite (
  user_id {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  pair_code {{text}} NOT NULL,
  PRIMARY KEY (user_id, place)
);
-- What the simulated market was doing, so that a restart goes on from there.
CREATE TABLE markets_simulation (
  name {{text}} PRIMARY KEY,
  state {{text}} NOT NULL,
  updated_at_ms {{integer}} NOT NULL
);

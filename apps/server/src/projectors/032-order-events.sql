-- What was changed of orders that rest, and what was not traded because both sides had one owner. Those of before were not
-- kept.
CREATE TABLE engine_amendments (
  order_id {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  price_before {{integer}} NOT NULL,
  price_after {{integer}} NOT NULL,
  lots_before {{amount}} NOT NULL,
  lots_after {{amount}} NOT NULL,
  PRIMARY KEY (order_id, sequence)
);
CREATE TABLE engine_prevented (
  sequence {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  mode {{text}} NOT NULL,
  taker_order {{integer}} NOT NULL,
  maker_order {{integer}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  PRIMARY KEY (sequence, place)
);
CREATE INDEX engine_prevented_by_taker ON engine_prevented (taker_order);
CREATE INDEX engine_prevented_by_maker ON engine_prevented (maker_order);

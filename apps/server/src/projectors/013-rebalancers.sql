-- Rebalancing bots as the journal tells them. Amounts are units of the quote, prices ticks, quantities lots, weights 1e-4.
CREATE TABLE engine_rebalancers (
  rebalancer {{integer}} PRIMARY KEY,
  account {{integer}} NOT NULL,
  source {{integer}} NOT NULL,
  threshold_bps {{integer}} NOT NULL,
  interval_ms {{integer}} NOT NULL,
  status {{text}} NOT NULL,
  rounds {{integer}} NOT NULL,
  invested_units {{amount}} NOT NULL,
  fees_units {{amount}} NOT NULL,
  value_units {{amount}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
CREATE INDEX engine_rebalancers_account ON engine_rebalancers (account);
-- Each coin beside the quote as it was told last.
CREATE TABLE engine_rebalancer_coins (
  rebalancer {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  weight_bps {{integer}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  held_lots {{amount}} NOT NULL,
  value_units {{amount}} NOT NULL,
  PRIMARY KEY (rebalancer, place)
);
-- 0 is its beginning, then each round that traded, and its end.
CREATE TABLE engine_rebalancer_rounds (
  rebalancer {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  change {{text}} NOT NULL,
  cause {{text}} NOT NULL,
  value_units {{amount}} NOT NULL,
  fees_units {{amount}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (rebalancer, number)
);
CREATE INDEX engine_rebalancer_rounds_sequence ON engine_rebalancer_rounds (sequence);
-- What a round traded of a coin; negative lots were sold.
CREATE TABLE engine_rebalancer_legs (
  rebalancer {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  traded_lots {{amount}} NOT NULL,
  PRIMARY KEY (rebalancer, number, place)
);

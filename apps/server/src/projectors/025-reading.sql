-- What screens ask for costs what they show, however much an account has done: sums by day, the journal's sequence by
-- minute, and an order of reading for each filter.
-- What an account was billed, by UTC day, coin and business.
CREATE TABLE engine_bill_days (
  account {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  business {{text}} NOT NULL,
  units {{amount}} NOT NULL,
  bills {{integer}} NOT NULL,
  PRIMARY KEY (account, day, asset, business)
) {{clustered}};
INSERT INTO engine_bill_days
  SELECT account, time_ms / 86400000, asset, business, sum(delta_units), count(*)
  FROM engine_bills GROUP BY account, time_ms / 86400000, asset, business;
-- What an account traded, by UTC day, market, side and coin of the fee; -1 where nothing was charged.
CREATE TABLE engine_fill_days (
  account {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  fee_asset {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  notional_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  PRIMARY KEY (account, day, market, side, fee_asset)
) {{clustered}};
INSERT INTO engine_fill_days
  SELECT account, time_ms / 86400000, market, side, coalesce(fee_asset, -1), sum(lots), sum(notional_units), sum(fee_units)
  FROM engine_fills GROUP BY account, time_ms / 86400000, market, side, coalesce(fee_asset, -1);
-- The first sequence known of a minute: time never goes back, so what is later than the minute is beyond it.
CREATE TABLE engine_minutes (
  minute {{integer}} PRIMARY KEY,
  sequence {{integer}} NOT NULL
);
INSERT INTO engine_minutes
  SELECT time_ms / 60000, min(sequence) FROM engine_bills GROUP BY time_ms / 60000;
-- The house's own bills are read by no screen: accounts of people begin at 16.
CREATE INDEX engine_bills_by_kind ON engine_bills (account, asset, business, sequence, line) WHERE account >= 16;
CREATE INDEX engine_bills_by_number ON engine_bills (account, reference_number, sequence, line) WHERE account >= 16;
CREATE INDEX engine_bills_named ON engine_bills (account, sequence, line) WHERE reference IS NOT NULL;
CREATE INDEX engine_fills_by_market ON engine_fills (account, market, side, sequence, trade_number, role);
CREATE INDEX engine_orders_by_market ON engine_orders (account, market, side, created_sequence, order_id);
CREATE INDEX engine_orders_by_list ON engine_orders (account, list_id, order_id) WHERE list_id IS NOT NULL;
CREATE INDEX engine_orders_ended ON engine_orders (account, updated_sequence)
  WHERE state NOT IN ('NEW', 'PARTIALLY_FILLED', 'PENDING_TRIGGER', 'TRIGGERED');

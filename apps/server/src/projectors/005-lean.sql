-- Rows lie in the order in which they are read, so that each is found and written once instead of once per index: an
-- account's bills and fills by sequence. Of orders only those still open are looked up by state.
CREATE TABLE engine_bills_lean (
  account {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  business {{text}} NOT NULL,
  delta_units {{amount}} NOT NULL,
  available_units {{amount}} NOT NULL,
  frozen_units {{amount}} NOT NULL,
  counterparty {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  reference_number {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  reference {{text}},
  PRIMARY KEY (account, sequence, line)
) {{clustered}};
INSERT INTO engine_bills_lean
  SELECT account, sequence, line, asset, business, delta_units, available_units, frozen_units, counterparty, market,
    reference_number, time_ms, reference
  FROM engine_bills ORDER BY account, sequence, line;
DROP TABLE engine_bills;
ALTER TABLE engine_bills_lean RENAME TO engine_bills;
CREATE INDEX engine_bills_by_reference ON engine_bills (reference) WHERE reference IS NOT NULL;
-- What the faucet gave a person in a day is asked before it gives more.
CREATE INDEX engine_bills_of_faucet ON engine_bills (account, asset, time_ms) WHERE business = 'faucet';
CREATE TABLE engine_fills_lean (
  account {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  trade_number {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  role {{text}} NOT NULL,
  order_id {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  notional_units {{amount}} NOT NULL,
  fee_asset {{integer}},
  fee_units {{amount}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (account, sequence, trade_number, market, role)
) {{clustered}};
INSERT INTO engine_fills_lean
  SELECT account, sequence, trade_number, market, role, order_id, side, price_ticks, lots, notional_units, fee_asset,
    fee_units, time_ms
  FROM engine_fills ORDER BY account, sequence, trade_number, market, role;
DROP TABLE engine_fills;
ALTER TABLE engine_fills_lean RENAME TO engine_fills;
CREATE INDEX engine_fills_by_order ON engine_fills (order_id);
DROP INDEX engine_orders_by_state;
CREATE INDEX engine_orders_open ON engine_orders (account) WHERE state IN ('NEW', 'PARTIALLY_FILLED', 'PENDING_TRIGGER');

-- The journal's events as tables: derived, never written by anyone but the projection, rebuilt from nothing at will.
-- Amounts are ledger units of their asset, prices are ticks, quantities lots of their market.
CREATE TABLE engine_cursor (
  name {{text}} PRIMARY KEY,
  journal {{text}} NOT NULL,
  sequence {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL
);
CREATE TABLE engine_accounts (
  account {{integer}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  book {{text}} NOT NULL,
  sub {{integer}} NOT NULL,
  group_id {{integer}} NOT NULL,
  flags {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE INDEX engine_accounts_by_user ON engine_accounts (user_id);
CREATE TABLE engine_assets (
  asset {{integer}} PRIMARY KEY,
  symbol {{text}} NOT NULL,
  scale {{integer}} NOT NULL
);
CREATE TABLE engine_markets (
  market {{integer}} PRIMARY KEY,
  kind {{text}} NOT NULL,
  base_asset {{integer}} NOT NULL,
  quote_asset {{integer}} NOT NULL,
  step_units {{amount}} NOT NULL,
  tick_lot_units {{amount}} NOT NULL,
  status {{text}} NOT NULL
);
-- One row per order, plan (conditional order) and TWAP. quantity is in lots, or in quote units when in_quote.
CREATE TABLE engine_orders (
  order_id {{integer}} PRIMARY KEY,
  kind {{text}} NOT NULL,
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  type {{text}} NOT NULL,
  time_in_force {{text}} NOT NULL,
  post_only {{text}} NOT NULL,
  self_trade {{text}} NOT NULL,
  reduce_only {{boolean}} NOT NULL,
  iceberg {{boolean}} NOT NULL,
  in_quote {{boolean}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  quantity {{amount}} NOT NULL,
  filled_lots {{amount}} NOT NULL,
  filled_units {{amount}} NOT NULL,
  state {{text}} NOT NULL,
  end_reason {{text}},
  client_order_id {{text}},
  list_id {{integer}},
  list_leg {{text}},
  plan_order_id {{integer}},
  trigger_ticks {{integer}},
  trigger_source {{text}},
  trigger_direction {{text}},
  callback_bps {{integer}},
  created_sequence {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
CREATE INDEX engine_orders_by_account ON engine_orders (account, created_sequence);
CREATE INDEX engine_orders_by_state ON engine_orders (account, state, created_sequence);
CREATE INDEX engine_orders_by_client_id ON engine_orders (account, client_order_id);
-- Two rows per trade, one for each side.
CREATE TABLE engine_fills (
  market {{integer}} NOT NULL,
  trade_number {{integer}} NOT NULL,
  role {{text}} NOT NULL,
  account {{integer}} NOT NULL,
  order_id {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  notional_units {{amount}} NOT NULL,
  fee_asset {{integer}},
  fee_units {{amount}} NOT NULL,
  sequence {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (market, trade_number, role)
);
CREATE INDEX engine_fills_by_account ON engine_fills (account, sequence);
CREATE INDEX engine_fills_by_order ON engine_fills (order_id, sequence);
-- Every leg of every double entry; line numbers the legs of one command.
CREATE TABLE engine_bills (
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  business {{text}} NOT NULL,
  delta_units {{amount}} NOT NULL,
  available_units {{amount}} NOT NULL,
  frozen_units {{amount}} NOT NULL,
  counterparty {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  reference_number {{integer}} NOT NULL,
  reference {{text}},
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, line)
);
CREATE INDEX engine_bills_by_account ON engine_bills (account, asset, sequence);
CREATE INDEX engine_bills_by_reference ON engine_bills (reference);
CREATE TABLE engine_balances (
  account {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  available_units {{amount}} NOT NULL,
  frozen_units {{amount}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  PRIMARY KEY (account, asset)
);

-- Perpetuals as the journal tells them: positions, settings, stops, bonuses, liquidations step by step.
-- Amounts are units of the settlement coin, prices ticks, quantities lots; lots of a long are positive.
CREATE TABLE engine_positions (
  position_id {{integer}} PRIMARY KEY,
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  leverage {{integer}} NOT NULL,
  isolated {{boolean}} NOT NULL,
  lots {{amount}} NOT NULL,
  cost_units {{amount}} NOT NULL,
  margin_units {{amount}} NOT NULL,
  realized_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  funding_units {{amount}} NOT NULL,
  max_lots {{amount}} NOT NULL,
  entered_lots {{amount}} NOT NULL,
  entered_units {{amount}} NOT NULL,
  closed_lots {{amount}} NOT NULL,
  closed_units {{amount}} NOT NULL,
  opened_sequence {{integer}} NOT NULL,
  opened_ms {{integer}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL,
  closed_sequence {{integer}},
  ended_by {{text}},
  liquidation_place {{integer}}
);
CREATE INDEX engine_positions_open ON engine_positions (account) WHERE closed_sequence IS NULL;
CREATE INDEX engine_positions_closed ON engine_positions (account, closed_sequence) WHERE closed_sequence IS NOT NULL;
-- Market 0 tells the modes of the whole account.
CREATE TABLE engine_perp_settings (
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  isolated {{boolean}} NOT NULL,
  hedge {{boolean}} NOT NULL,
  split {{boolean}} NOT NULL,
  auto_append {{boolean}} NOT NULL,
  leverage_long {{integer}} NOT NULL,
  leverage_short {{integer}} NOT NULL,
  PRIMARY KEY (account, market)
);
CREATE TABLE engine_stops (
  order_id {{integer}} PRIMARY KEY,
  account {{integer}} NOT NULL,
  position_id {{integer}} NOT NULL,
  is_whole {{boolean}} NOT NULL,
  pair_id {{integer}}
);
CREATE TABLE engine_bonuses (
  grant_id {{integer}} PRIMARY KEY,
  account {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  state {{text}} NOT NULL,
  given_units {{amount}} NOT NULL,
  left_units {{amount}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  granted_sequence {{integer}} NOT NULL,
  granted_ms {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
CREATE INDEX engine_bonuses_by_account ON engine_bonuses (account);
CREATE TABLE engine_demo_resets (
  account {{integer}} PRIMARY KEY,
  asset {{integer}} NOT NULL,
  units {{amount}} NOT NULL,
  time_ms {{integer}} NOT NULL
);
-- One row per liquidation, its place among those of the same command.
CREATE TABLE engine_liquidations (
  sequence {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  position_id {{integer}} NOT NULL,
  isolated {{boolean}} NOT NULL,
  leverage {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  cost_units {{amount}} NOT NULL,
  mark_ticks {{integer}} NOT NULL,
  cash_units {{amount}} NOT NULL,
  profit_units {{amount}} NOT NULL,
  need_units {{amount}} NOT NULL,
  available_units {{amount}} NOT NULL,
  frozen_units {{amount}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, place)
);
CREATE INDEX engine_liquidations_by_account ON engine_liquidations (account, sequence);
CREATE TABLE engine_liquidation_steps (
  sequence {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  step {{text}} NOT NULL,
  market {{integer}} NOT NULL,
  position_id {{integer}} NOT NULL,
  bankruptcy_ticks {{integer}} NOT NULL,
  held_lots {{amount}} NOT NULL,
  lots {{amount}} NOT NULL,
  value_units {{amount}} NOT NULL,
  cash_units {{amount}},
  book_lots {{amount}} NOT NULL,
  book_units {{amount}} NOT NULL,
  fund_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  PRIMARY KEY (sequence, place, line)
);
CREATE TABLE engine_deleveragings (
  sequence {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  place {{integer}},
  line {{integer}},
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  position_id {{integer}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  value_units {{amount}} NOT NULL,
  realized_units {{amount}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, number)
);
-- What a fill of a contract realised before fees.
ALTER TABLE engine_fills ADD COLUMN realized_units {{amount}} NOT NULL DEFAULT 0;
-- What was kept before these tables is made again from the journal, so that they tell of everything from the first event on.
DELETE FROM engine_accounts;
DELETE FROM engine_assets;
DELETE FROM engine_markets;
DELETE FROM engine_fees;
DELETE FROM engine_user_fees;
DELETE FROM engine_bills;
DELETE FROM engine_balances;
DELETE FROM engine_orders;
DELETE FROM engine_fills;
DELETE FROM engine_cursor;

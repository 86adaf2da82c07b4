-- Copy trading as the journal tells it: leaders, follows with their settings, every copy and skip, shares paid, and what
-- leaders' statistics are made of. Units are of the leader's coin, rates 1e-8, index values (nav) 1e-12.
CREATE TABLE engine_leaders (
  account {{integer}} PRIMARY KEY,
  state {{text}} NOT NULL,
  asset {{integer}} NOT NULL,
  share_rate {{integer}} NOT NULL,
  next_share_rate {{integer}} NOT NULL,
  next_share_ms {{integer}} NOT NULL,
  followers_max {{integer}} NOT NULL,
  followers {{integer}} NOT NULL,
  since_ms {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
-- The account is the follower's sub-book. What is told in several events has a default until it is.
CREATE TABLE engine_follows (
  account {{integer}} PRIMARY KEY,
  leader {{integer}} NOT NULL DEFAULT 0,
  is_active {{boolean}} NOT NULL DEFAULT FALSE,
  ended_by {{text}},
  share_rate {{integer}} NOT NULL DEFAULT 0,
  invested_units {{amount}} NOT NULL DEFAULT 0,
  realized_units {{amount}} NOT NULL DEFAULT 0,
  mark_units {{amount}} NOT NULL DEFAULT 0,
  held_units {{amount}} NOT NULL DEFAULT 0,
  followed_ms {{integer}} NOT NULL DEFAULT 0,
  updated_ms {{integer}} NOT NULL DEFAULT 0,
  mode {{text}} NOT NULL DEFAULT 'fixed',
  margin_mode {{text}} NOT NULL DEFAULT 'follow',
  mirror_margin {{boolean}} NOT NULL DEFAULT TRUE,
  multiplier {{integer}} NOT NULL DEFAULT 0,
  leverage {{integer}} NOT NULL DEFAULT 0,
  leverage_max {{integer}} NOT NULL DEFAULT 0,
  slippage_bps {{integer}} NOT NULL DEFAULT 0,
  stop_loss_bps {{integer}} NOT NULL DEFAULT 0,
  take_profit_bps {{integer}} NOT NULL DEFAULT 0,
  fixed_units {{amount}} NOT NULL DEFAULT 0,
  daily_loss_units {{amount}} NOT NULL DEFAULT 0,
  max_order_units {{amount}} NOT NULL DEFAULT 0,
  max_symbol_units {{amount}} NOT NULL DEFAULT 0,
  max_total_units {{amount}} NOT NULL DEFAULT 0,
  markets {{text}} NOT NULL DEFAULT ''
);
CREATE INDEX engine_follows_by_leader ON engine_follows (leader, is_active);
-- One row for each copy sent (reason null) or not sent; slippage in 1/100 of a basis point, above zero worse than the leader's.
CREATE TABLE engine_copies (
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  leader {{integer}} NOT NULL,
  what {{text}} NOT NULL,
  market {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  order_id {{integer}},
  filled_lots {{amount}} NOT NULL,
  leader_ticks {{integer}},
  limit_ticks {{integer}},
  tick_lots {{amount}} NOT NULL,
  slippage {{integer}},
  reason {{text}},
  code {{text}},
  bound {{amount}},
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, line)
);
CREATE INDEX engine_copies_by_account ON engine_copies (account, sequence);
CREATE INDEX engine_copies_by_leader ON engine_copies (leader, sequence);
CREATE TABLE engine_shares (
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  leader {{integer}} NOT NULL,
  cause {{text}} NOT NULL,
  share_rate {{integer}} NOT NULL,
  paid_units {{amount}} NOT NULL,
  realized_units {{amount}} NOT NULL,
  mark_units {{amount}} NOT NULL,
  unrealized_units {{amount}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, line)
);
CREATE INDEX engine_shares_by_account ON engine_shares (account, sequence);
CREATE INDEX engine_shares_by_leader ON engine_shares (leader, sequence);
-- What somebody leads from, followed since it was opened (futures) or since he led (spot): money, the index of its worth
-- and what it was worth when the index was last carried on.
CREATE TABLE engine_lead_books (
  account {{integer}} PRIMARY KEY,
  kind {{text}} NOT NULL,
  asset {{integer}} NOT NULL,
  cash_units {{amount}} NOT NULL,
  nav {{amount}} NOT NULL,
  base_units {{amount}} NOT NULL,
  day_units {{amount}} NOT NULL,
  flow_units {{amount}} NOT NULL,
  since_ms {{integer}} NOT NULL
);
CREATE TABLE engine_lead_coins (
  account {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  units {{amount}} NOT NULL,
  cost_units {{amount}} NOT NULL,
  since_ms {{integer}} NOT NULL,
  PRIMARY KEY (account, asset)
);
CREATE TABLE engine_lead_positions (
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
CREATE INDEX engine_lead_positions_by_account ON engine_lead_positions (account, closed_sequence);
CREATE TABLE engine_lead_sales (
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  units {{amount}} NOT NULL,
  proceeds_units {{amount}} NOT NULL,
  cost_units {{amount}} NOT NULL,
  opened_ms {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, line)
);
CREATE INDEX engine_lead_sales_by_account ON engine_lead_sales (account, sequence);
CREATE TABLE engine_lead_days (
  account {{integer}} NOT NULL,
  day_ms {{integer}} NOT NULL,
  nav {{amount}} NOT NULL,
  equity_units {{amount}} NOT NULL,
  flow_units {{amount}} NOT NULL,
  pnl_units {{amount}} NOT NULL,
  PRIMARY KEY (account, day_ms)
);
-- The first price of each market in its newest minute: what leads are valued at. Market 0 tells the day that is open.
CREATE TABLE engine_lead_marks (
  market {{integer}} PRIMARY KEY,
  minute_ms {{integer}} NOT NULL,
  ticks {{integer}} NOT NULL
);

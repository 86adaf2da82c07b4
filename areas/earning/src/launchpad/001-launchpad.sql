-- Launches of new coins: projects, their rounds, who takes part with what, and what everybody may buy and has bought.
CREATE TABLE launchpad_project (
  project_id {{text}} PRIMARY KEY,
  name {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  scale {{integer}} NOT NULL,
  summary {{text}} NOT NULL,
  supply {{text}} NOT NULL,
  -- USDT units for one whole coin.
  price_units {{amount}} NOT NULL,
  vest_bps {{integer}} NOT NULL,
  vest_days {{integer}} NOT NULL,
  announced_ms {{integer}} NOT NULL,
  listing_ms {{integer}} NOT NULL,
  state {{text}} NOT NULL,
  promise {{text}} NOT NULL,
  server_seed {{text}} NOT NULL,
  salt {{text}} NOT NULL,
  sub {{integer}} NOT NULL UNIQUE,
  is_simulated {{boolean}} NOT NULL
);
CREATE TABLE launchpad_round (
  round_id {{text}} PRIMARY KEY,
  project_id {{text}} NOT NULL,
  number {{integer}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('lottery', 'subscription', 'flash')),
  stock_units {{amount}} NOT NULL,
  -- Coins of a winning ticket or of a lot; of a subscription the step.
  lot_units {{amount}} NOT NULL,
  cap_units {{amount}} NOT NULL,
  tickets_max {{integer}} NOT NULL,
  -- USDT units held for one ticket.
  unit_units {{amount}} NOT NULL,
  snapshot_days {{integer}} NOT NULL,
  preheat_ms {{integer}} NOT NULL,
  opens_ms {{integer}} NOT NULL,
  closes_ms {{integer}} NOT NULL,
  pay_until_ms {{integer}} NOT NULL,
  stage {{text}} NOT NULL,
  root {{text}},
  close_sequence {{integer}} NOT NULL,
  public_seed {{text}},
  seed {{text}},
  tickets {{integer}} NOT NULL,
  winners_max {{integer}} NOT NULL,
  sub {{integer}} NOT NULL UNIQUE
);
CREATE TABLE launchpad_snapshot (
  project_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  units {{amount}} NOT NULL,
  PRIMARY KEY (project_id, user_id, day)
);
CREATE TABLE launchpad_entry (
  round_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  tickets {{integer}} NOT NULL,
  first_ticket {{integer}} NOT NULL,
  commit_units {{amount}} NOT NULL,
  is_auto {{boolean}} NOT NULL,
  PRIMARY KEY (round_id, user_id)
);
CREATE TABLE launchpad_commit (
  reference {{text}} PRIMARY KEY,
  round_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  units {{amount}} NOT NULL,
  state {{text}} NOT NULL,
  made_ms {{integer}} NOT NULL,
  UNIQUE (round_id, user_id, client_id)
);
CREATE TABLE launchpad_order (
  order_id {{text}} PRIMARY KEY,
  round_id {{text}} NOT NULL,
  project_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  place {{integer}} NOT NULL,
  token_units {{amount}} NOT NULL,
  cost_units {{amount}} NOT NULL,
  released_units {{amount}} NOT NULL,
  state {{text}} NOT NULL,
  until_ms {{integer}} NOT NULL,
  made_ms {{integer}} NOT NULL
);
CREATE INDEX launchpad_order_by_round ON launchpad_order (round_id, state);
CREATE INDEX launchpad_order_by_user ON launchpad_order (user_id, made_ms);
CREATE INDEX launchpad_order_by_state ON launchpad_order (state, until_ms);

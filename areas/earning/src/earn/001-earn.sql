-- Products people put money into for interest, what they hold of them, and every movement as it was intended first.
CREATE TABLE earn_product (
  product_id {{text}} PRIMARY KEY,
  kind {{text}} NOT NULL CHECK (kind IN ('flexible', 'fixed', 'shark')),
  asset {{text}} NOT NULL,
  days {{integer}} NOT NULL,
  rate {{integer}} NOT NULL,
  -- Shark fin alone: what the rate follows, as JSON.
  terms {{text}} NOT NULL,
  min_units {{amount}} NOT NULL,
  user_max_units {{amount}} NOT NULL,
  quota_units {{amount}} NOT NULL,
  taken_units {{amount}} NOT NULL CHECK (taken_units >= 0),
  -- Flexible alone: how much may come and go in a day.
  day_in_units {{amount}} NOT NULL,
  day_out_units {{amount}} NOT NULL,
  is_open {{boolean}} NOT NULL,
  opens_ms {{integer}} NOT NULL,
  closes_ms {{integer}} NOT NULL,
  starts_ms {{integer}} NOT NULL,
  ends_ms {{integer}} NOT NULL,
  -- The settlement of a shark fin: the sum of so many prices, in ticks.
  settled_ms {{integer}},
  price_sum {{text}},
  price_count {{integer}},
  is_knocked_out {{boolean}} NOT NULL,
  is_simulated {{boolean}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE TABLE earn_rate (
  product_id {{text}} NOT NULL,
  from_hour {{integer}} NOT NULL,
  tiers {{text}} NOT NULL,
  PRIMARY KEY (product_id, from_hour)
);
CREATE TABLE earn_pool (
  product_id {{text}} NOT NULL,
  day {{integer}} NOT NULL,
  in_units {{amount}} NOT NULL,
  out_units {{amount}} NOT NULL,
  PRIMARY KEY (product_id, day)
);
CREATE TABLE earn_share (
  user_id {{integer}} NOT NULL,
  product_id {{text}} NOT NULL,
  units {{amount}} NOT NULL CHECK (units >= 0),
  PRIMARY KEY (user_id, product_id)
);
CREATE TABLE earn_holding (
  holding_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  product_id {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  state {{text}} NOT NULL,
  principal_units {{amount}} NOT NULL CHECK (principal_units >= 0),
  earning_units {{amount}} NOT NULL,
  hour {{integer}} NOT NULL,
  parts {{amount}} NOT NULL,
  credited_day {{integer}} NOT NULL,
  rate {{integer}} NOT NULL,
  days {{integer}} NOT NULL,
  term {{integer}} NOT NULL,
  starts_ms {{integer}} NOT NULL,
  ends_ms {{integer}} NOT NULL,
  is_compound {{boolean}} NOT NULL,
  is_renewed {{boolean}} NOT NULL,
  coupon_id {{text}},
  boost_rate {{integer}} NOT NULL,
  boost_cap_units {{amount}} NOT NULL,
  boost_from {{integer}} NOT NULL,
  boost_until {{integer}} NOT NULL,
  paid_units {{amount}} NOT NULL,
  -- The movement that was intended and is not done: everything else waits for it.
  pending {{text}},
  version {{integer}} NOT NULL,
  opened_ms {{integer}} NOT NULL
);
CREATE INDEX earn_holding_by_user ON earn_holding (user_id, opened_ms);
CREATE INDEX earn_holding_by_end ON earn_holding (kind, state, ends_ms);
CREATE INDEX earn_holding_by_day ON earn_holding (kind, credited_day);
CREATE TABLE earn_move (
  reference {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  holding_id {{text}} NOT NULL,
  product_id {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  units {{amount}} NOT NULL,
  interest_units {{amount}} NOT NULL,
  target {{text}} NOT NULL,
  state {{text}} NOT NULL,
  code {{text}} NOT NULL,
  -- For whose sake it was intended, and from when on it may be carried out.
  at_ms {{integer}} NOT NULL,
  due_ms {{integer}} NOT NULL,
  UNIQUE (user_id, client_id)
);
CREATE INDEX earn_move_by_user ON earn_move (user_id, at_ms);
CREATE INDEX earn_move_by_state ON earn_move (state, due_ms);
CREATE TABLE earn_coupon (
  coupon_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  reference {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  rate {{integer}} NOT NULL,
  cap_units {{amount}} NOT NULL,
  days {{integer}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  issued_ms {{integer}} NOT NULL,
  -- The subscription that uses it.
  used_by {{text}},
  UNIQUE (user_id, reference)
);
CREATE TABLE earn_apply (
  user_id {{integer}} NOT NULL,
  asset {{text}} NOT NULL,
  reserve_units {{amount}} NOT NULL,
  is_on {{boolean}} NOT NULL,
  PRIMARY KEY (user_id, asset)
);

-- What people traded in one UTC day (days since 1970) and paid for it, in USDT units at the prices of the next morning.
CREATE TABLE vip_day (
  user_id {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  spot_maker_units {{amount}} NOT NULL,
  spot_taker_units {{amount}} NOT NULL,
  perp_maker_units {{amount}} NOT NULL,
  perp_taker_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX vip_day_by_day ON vip_day (day);
-- What people held at 00:00 of a day, in USDT units.
CREATE TABLE vip_assets (
  user_id {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  worth_units {{amount}} NOT NULL,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX vip_assets_by_day ON vip_assets (day);
-- Days that were counted, `turnover` or `assets`.
CREATE TABLE vip_counted (
  what {{text}} NOT NULL,
  day {{integer}} NOT NULL,
  counted_ms {{integer}} NOT NULL,
  PRIMARY KEY (what, day)
);
-- Levels. earned: by the daily count; below_*: since when the measures are below the bar, and the best they reached since.
-- trial: given by operators, with an end. fees: the level whose rates the core was told last; this one is in force.
CREATE TABLE vip_user (
  user_id {{integer}} PRIMARY KEY,
  earned_level {{integer}} NOT NULL,
  below_since_ms {{integer}},
  below_best {{integer}} NOT NULL,
  trial_level {{integer}} NOT NULL,
  trial_until_ms {{integer}} NOT NULL,
  trial_reference {{text}} NOT NULL,
  fees_level {{integer}} NOT NULL,
  spot_units {{amount}} NOT NULL,
  futures_units {{amount}} NOT NULL,
  assets_units {{amount}} NOT NULL,
  counted_ms {{integer}} NOT NULL
);
CREATE TABLE vip_change (
  user_id {{integer}} NOT NULL,
  at_ms {{integer}} NOT NULL,
  from_level {{integer}} NOT NULL,
  to_level {{integer}} NOT NULL,
  cause {{text}} NOT NULL,
  PRIMARY KEY (user_id, at_ms, from_level, to_level)
);

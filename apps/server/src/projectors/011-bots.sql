-- Grid bots as the journal tells them. Amounts are units of the coin the bot counts in, prices ticks, quantities lots.
CREATE TABLE engine_bots (
  bot {{integer}} PRIMARY KEY,
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  source {{integer}} NOT NULL,
  grid {{text}} NOT NULL,
  spacing {{text}} NOT NULL,
  cells {{integer}} NOT NULL,
  leverage {{integer}} NOT NULL,
  trigger_ticks {{integer}} NOT NULL,
  stop_above_ticks {{integer}} NOT NULL,
  stop_below_ticks {{integer}} NOT NULL,
  trail_up_ticks {{integer}} NOT NULL,
  trail_down_ticks {{integer}} NOT NULL,
  keeps {{boolean}} NOT NULL,
  ends_ms {{integer}} NOT NULL,
  status {{text}} NOT NULL,
  reason {{text}} NOT NULL,
  low_ticks {{integer}} NOT NULL,
  high_ticks {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  invested_units {{amount}} NOT NULL,
  taken_units {{amount}} NOT NULL,
  fees_units {{amount}} NOT NULL,
  profit_units {{amount}} NOT NULL,
  pairs {{integer}} NOT NULL,
  start_ticks {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
CREATE INDEX engine_bots_account ON engine_bots (account);
CREATE INDEX engine_bots_source ON engine_bots (source, bot);
CREATE TABLE engine_bot_pairs (
  bot {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  later {{text}} NOT NULL,
  low_ticks {{integer}} NOT NULL,
  high_ticks {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  profit_units {{amount}} NOT NULL,
  earlier_ms {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (bot, number)
);
CREATE INDEX engine_bot_pairs_time ON engine_bot_pairs (time_ms);
-- What happened to a bot, one line a change.
CREATE TABLE engine_bot_log (
  bot {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  change {{text}} NOT NULL,
  status {{text}} NOT NULL,
  reason {{text}} NOT NULL,
  price_ticks {{integer}} NOT NULL,
  low_ticks {{integer}} NOT NULL,
  high_ticks {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (bot, sequence, line)
);

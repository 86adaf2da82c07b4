-- Who has accepted the strategy agreement, which bot was made from which, and what bots were worth over time.
CREATE TABLE grid_agreement (
  user_id {{integer}} PRIMARY KEY,
  agreed_ms {{integer}} NOT NULL
);
CREATE TABLE grid_clone (
  bot {{integer}} PRIMARY KEY,
  from_bot {{integer}} NOT NULL
);
CREATE INDEX grid_clone_from ON grid_clone (from_bot);
CREATE TABLE grid_worth (
  bot {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  total_units {{amount}} NOT NULL,
  grid_units {{amount}} NOT NULL,
  PRIMARY KEY (bot, time_ms)
);

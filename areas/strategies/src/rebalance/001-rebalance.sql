-- What rebalancing bots were worth over time beyond what was put in.
CREATE TABLE rebalance_worth (
  rebalancer {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  total_units {{amount}} NOT NULL,
  PRIMARY KEY (rebalancer, time_ms)
);
CREATE INDEX rebalance_worth_age ON rebalance_worth (time_ms);

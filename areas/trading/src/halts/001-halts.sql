-- Markets an operator has stopped, and why. A row goes when the market is opened again; stopped_ms names the stop.
CREATE TABLE halts_stop (
  biz {{text}} NOT NULL,
  pair_code {{text}} NOT NULL,
  status {{text}} NOT NULL,
  reason {{text}} NOT NULL,
  stopped_by {{integer}} NOT NULL,
  stopped_ms {{integer}} NOT NULL,
  PRIMARY KEY (biz, pair_code)
);

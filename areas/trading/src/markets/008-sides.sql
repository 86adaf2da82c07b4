-- Who holds which side of a contract, sampled every five minutes: accounts, and of the fifth with the largest positions
-- (top) their accounts and lots.
CREATE TABLE markets_sides (
  market {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  long_accounts {{integer}} NOT NULL,
  short_accounts {{integer}} NOT NULL,
  top_long_accounts {{integer}} NOT NULL,
  top_short_accounts {{integer}} NOT NULL,
  top_long_lots {{amount}} NOT NULL,
  top_short_lots {{amount}} NOT NULL,
  PRIMARY KEY (market, time_ms)
);

-- Figures of the exchange by hour; values are whole numbers or units of USDT (6 decimals).
CREATE TABLE overview_hour (
  hour {{integer}} NOT NULL,
  figure {{text}} NOT NULL,
  value {{amount}} NOT NULL,
  computed_ms {{integer}} NOT NULL,
  PRIMARY KEY (hour, figure)
);

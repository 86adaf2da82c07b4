-- What takers bought of a candle's lots and turnover. Candles of before did not note it and say 0.
ALTER TABLE markets_candle ADD COLUMN bought_lots {{integer}} NOT NULL DEFAULT 0;
ALTER TABLE markets_candle ADD COLUMN bought_units {{amount}} NOT NULL DEFAULT 0;

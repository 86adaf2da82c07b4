-- What an alert by closed candles looks at, as "rsi 1h 14 70" or "ma 1h 7 25"; empty for one by price.
ALTER TABLE alerts_alert ADD COLUMN indicator {{text}};

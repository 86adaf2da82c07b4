-- Values were not kept before: until then assets count, as they did, by the last trade of each minute against USDT.
INSERT INTO engine_values
  SELECT m.base_asset, c.span_ms, c.time_ms, c.close * cast(m.tick_lot_units AS bigint), cast(m.step_units AS bigint)
  FROM markets_candle c JOIN engine_markets m ON m.market = c.market JOIN engine_assets q ON q.asset = m.quote_asset
  WHERE c.span_ms = 60000 AND m.kind = 'spot' AND q.symbol = 'USDT' AND c.close > 0;
INSERT INTO engine_values
  SELECT m.base_asset, 86400000, d.day_ms, c.close * cast(m.tick_lot_units AS bigint), cast(m.step_units AS bigint)
  FROM (
    SELECT market, time_ms - time_ms % 86400000 AS day_ms, max(time_ms) AS last_ms
    FROM markets_candle WHERE span_ms = 3600000 GROUP BY market, time_ms - time_ms % 86400000
  ) d JOIN markets_candle c ON c.market = d.market AND c.span_ms = 3600000 AND c.time_ms = d.last_ms
  JOIN engine_markets m ON m.market = c.market JOIN engine_assets q ON q.asset = m.quote_asset
  WHERE m.kind = 'spot' AND q.symbol = 'USDT' AND c.close > 0;

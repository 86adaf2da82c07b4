-- What people traded and paid for it, summed by hour (number of hours since 1970), account, market and role. Amounts are
-- units of the market's settlement coin and of the coin charged; fee_asset -1 where nothing was charged. Trades of a user
-- with himself are left out.
CREATE TABLE engine_turnover (
  hour {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  role {{text}} NOT NULL,
  fee_asset {{integer}} NOT NULL,
  notional_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  PRIMARY KEY (hour, account, market, role, fee_asset)
) {{clustered}};
-- Fills that were kept before this table.
INSERT INTO engine_turnover
  SELECT CAST(fill.time_ms / 3600000 AS bigint), fill.account, fill.market, fill.role, COALESCE(fill.fee_asset, -1),
    SUM(fill.notional_units), SUM(fill.fee_units)
  FROM engine_fills fill JOIN engine_accounts own ON own.account = fill.account
  WHERE NOT EXISTS (
    SELECT 1 FROM engine_accounts mine JOIN engine_fills other ON other.account = mine.account
    WHERE mine.user_id = own.user_id AND other.sequence = fill.sequence AND other.trade_number = fill.trade_number
      AND other.market = fill.market AND other.role <> fill.role
  )
  GROUP BY 1, 2, 3, 4, 5;

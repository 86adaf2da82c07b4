-- What of a fill's fee almighty gold bore: bills of the bonus book whose sub is the account it stands beside.
ALTER TABLE engine_fills ADD COLUMN gold_fee_units {{amount}} NOT NULL DEFAULT 0;
UPDATE engine_fills SET gold_fee_units = COALESCE((
  SELECT CAST(SUM(-bill.delta_units) AS bigint)
  FROM engine_accounts holder
  JOIN engine_accounts gold ON gold.user_id = holder.user_id AND gold.book = 'bonus' AND gold.sub = (holder.account & 16777215)
  JOIN engine_bills bill ON bill.account = gold.account AND bill.sequence = engine_fills.sequence
  WHERE holder.account = engine_fills.account AND bill.reference_number = engine_fills.trade_number
    AND bill.market = engine_fills.market AND bill.business IN ('openFee', 'closeFee')
), 0) WHERE account IN (
  SELECT holder.account FROM engine_accounts holder
  JOIN engine_accounts gold ON gold.user_id = holder.user_id AND gold.book = 'bonus' AND gold.sub = (holder.account & 16777215)
);
-- How often winners were closed against the bankrupt lately is asked by everybody.
CREATE INDEX engine_deleveragings_by_time ON engine_deleveragings (market, time_ms);

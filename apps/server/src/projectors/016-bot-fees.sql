-- Fees of running bots stood still between what they told of themselves: those of the fills that are kept.
UPDATE engine_bots SET fees_units = (
  SELECT CAST(SUM(fill.fee_units) AS bigint) FROM engine_fills fill WHERE fill.account = engine_bots.account
) WHERE EXISTS (SELECT 1 FROM engine_fills fill WHERE fill.account = engine_bots.account);

-- What a contract settles in and what a lot of it is worth; null for spot, where quote and units of the market say it.
ALTER TABLE engine_markets ADD COLUMN settle_asset {{integer}};
ALTER TABLE engine_markets ADD COLUMN factor {{amount}};
-- What a user pays wherever he trades, in 1e-8; -1 where the fee group's rate counts.
CREATE TABLE engine_user_fees (
  user_id {{integer}} PRIMARY KEY,
  spot_maker_rate {{integer}} NOT NULL,
  spot_taker_rate {{integer}} NOT NULL,
  perp_maker_rate {{integer}} NOT NULL,
  perp_taker_rate {{integer}} NOT NULL
);

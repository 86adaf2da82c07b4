-- What fee coupons pay back of somebody's fees of an hour (since 1970), in units of the coin the fees were paid in: the rest
-- is the net fee others get a share of.
CREATE TABLE rewards_fee_back (
  hour {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  back_units {{amount}} NOT NULL CHECK (back_units >= 0),
  PRIMARY KEY (hour, user_id, asset)
);

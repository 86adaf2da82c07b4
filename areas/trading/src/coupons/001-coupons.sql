-- Coupons a person may turn into coin. Amounts are USDT units (face, volume) or units of the coupon's coin (paid).
-- state: open, intended (the money is on its way), converted. An open one past its time is expired.
CREATE TABLE coupons_coupon (
  coupon_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  face_units {{amount}} NOT NULL,
  volume_units {{amount}} NOT NULL,
  reference {{text}} NOT NULL,
  issued_ms {{integer}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  state {{text}} NOT NULL,
  paid_units {{amount}},
  index_price {{text}},
  converted_ms {{integer}}
);
CREATE UNIQUE INDEX coupons_coupon_by_reference ON coupons_coupon (user_id, reference);
CREATE INDEX coupons_coupon_by_state ON coupons_coupon (state, issued_ms);

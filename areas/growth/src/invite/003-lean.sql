-- Rebates lie by receiver, the only way they are asked for, without further indexes; the ranking reads sums of payments.
CREATE TABLE invite_rebate_lean (
  receiver_id {{integer}} NOT NULL,
  hour {{integer}} NOT NULL,
  friend_id {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  degree {{integer}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  rebate_units {{amount}} NOT NULL,
  fee_usdt_units {{amount}} NOT NULL,
  rebate_usdt_units {{amount}} NOT NULL,
  PRIMARY KEY (receiver_id, hour, friend_id, asset, degree)
) {{clustered}};
INSERT INTO invite_rebate_lean
  (receiver_id, hour, friend_id, asset, degree, fee_units, rebate_units, fee_usdt_units, rebate_usdt_units)
  SELECT receiver_id, hour, friend_id, asset, degree, fee_units, rebate_units, fee_usdt_units, rebate_usdt_units
  FROM invite_rebate;
-- What others' fees brought in that hour.
ALTER TABLE invite_payment ADD COLUMN earned_usdt_units {{amount}} NOT NULL DEFAULT 0;
UPDATE invite_payment SET earned_usdt_units = COALESCE(
  (SELECT sum(rebate.rebate_usdt_units) FROM invite_rebate_lean AS rebate
   WHERE rebate.receiver_id = invite_payment.receiver_id AND rebate.hour = invite_payment.hour AND rebate.degree > 0), 0);
DROP TABLE invite_rebate;
ALTER TABLE invite_rebate_lean RENAME TO invite_rebate;
DROP INDEX invite_payment_planned;
CREATE INDEX invite_payment_planned ON invite_payment (hour, receiver_id) WHERE state = 'planned';

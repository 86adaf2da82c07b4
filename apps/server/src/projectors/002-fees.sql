-- What is charged, in 1e-8: account 0 is the group's own row, -1 in an account's row means the group's rate.
CREATE TABLE engine_fees (
  account {{integer}} NOT NULL,
  fee_group {{integer}} NOT NULL,
  maker_rate {{integer}} NOT NULL,
  taker_rate {{integer}} NOT NULL,
  PRIMARY KEY (account, fee_group)
);
ALTER TABLE engine_orders DROP COLUMN plan_order_id;

-- Withdrawals that leave together under one number of the hot wallet, each with its place in that transaction. One withdrawal
-- leaves once, so it stands here once at most.
CREATE TABLE withdrawals_part (
  withdrawal_id {{text}} PRIMARY KEY,
  -- The key of what was sent.
  batch_key {{text}} NOT NULL,
  place {{integer}} NOT NULL,
  receiver {{text}} NOT NULL,
  chain_units {{text}} NOT NULL,
  -- As the block says in which it was sent; counts while what was sent stands in one.
  is_success {{boolean}} NOT NULL,
  UNIQUE (batch_key, place)
);

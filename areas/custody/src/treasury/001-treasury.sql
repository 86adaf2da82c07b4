-- What the house moves between its own addresses: sweeps of users' deposit addresses into the hot wallet, and refills of it
-- from the cold wallet. One row for each number of the sender, written before it is signed or sent.
CREATE TABLE treasury_move (
  network {{text}} NOT NULL,
  sender {{text}} NOT NULL,
  nonce {{integer}} NOT NULL,
  -- sweep or refill.
  kind {{text}} NOT NULL,
  -- Whose deposit address is swept; 0 for the cold wallet.
  user_id {{integer}} NOT NULL,
  asset {{text}} NOT NULL,
  chain_units {{text}} NOT NULL,
  gas {{text}} NOT NULL,
  max_fee {{text}} NOT NULL,
  tip {{text}} NOT NULL,
  hashes {{text}} NOT NULL,
  raw {{text}} NOT NULL,
  -- OPEN until its block is final, then DONE or FAILED as the chain says.
  state {{text}} NOT NULL,
  block_number {{integer}},
  fee_units {{text}} NOT NULL,
  is_success {{boolean}} NOT NULL,
  is_counted {{boolean}} NOT NULL,
  begun_ms {{integer}} NOT NULL,
  sent_ms {{integer}} NOT NULL,
  PRIMARY KEY (network, sender, nonce)
);
CREATE INDEX treasury_move_by_state ON treasury_move (network, state);
-- What a network took in all for these moves, and how much of it the ledger was told of.
CREATE TABLE treasury_gas (
  network {{text}} PRIMARY KEY,
  chain_units {{text}} NOT NULL,
  posted_units {{amount}} NOT NULL
);

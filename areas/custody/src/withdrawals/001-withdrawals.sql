-- What goes out: the addresses people saved, every withdrawal, and what the hot wallet sent under each of its numbers.
CREATE TABLE withdrawals_saved (
  user_id {{integer}} NOT NULL,
  network {{text}} NOT NULL,
  address {{text}} NOT NULL,
  name {{text}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  -- Rests until then where only saved addresses may be used.
  usable_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, network, address)
);
-- One row a user: taken first by whatever counts against his limit, so that two at once see each other.
CREATE TABLE withdrawals_setting (
  user_id {{integer}} PRIMARY KEY,
  is_whitelist {{boolean}} NOT NULL,
  version {{integer}} NOT NULL
);
CREATE TABLE withdrawals_withdrawal (
  withdrawal_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  -- Empty for a transfer within the exchange, which has a receiver.
  network {{text}} NOT NULL,
  address {{text}} NOT NULL,
  receiver_id {{integer}},
  asset {{text}} NOT NULL,
  book {{text}} NOT NULL,
  -- What leaves the account; the fee is part of it.
  amount_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  worth_units {{amount}} NOT NULL,
  state {{text}} NOT NULL,
  -- The ledger has been told of the end.
  is_settled {{boolean}} NOT NULL,
  review {{text}} NOT NULL,
  reviewer_id {{integer}},
  reason {{text}} NOT NULL,
  tx_hash {{text}},
  block_number {{integer}},
  created_ms {{integer}} NOT NULL,
  changed_ms {{integer}} NOT NULL,
  UNIQUE (user_id, client_id)
);
CREATE INDEX withdrawals_withdrawal_by_user ON withdrawals_withdrawal (user_id, created_ms);
CREATE INDEX withdrawals_withdrawal_by_receiver ON withdrawals_withdrawal (receiver_id, created_ms);
CREATE INDEX withdrawals_withdrawal_by_state ON withdrawals_withdrawal (state, network);
-- A transaction under a number of the hot wallet; the hashes of all its versions, newest last, with a blank between.
CREATE TABLE withdrawals_sending (
  network {{text}} NOT NULL,
  nonce {{integer}} NOT NULL,
  key {{text}} NOT NULL UNIQUE,
  asset {{text}} NOT NULL,
  receiver {{text}} NOT NULL,
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
  -- As the chain says; nothing moved but the fee where it is false.
  is_success {{boolean}} NOT NULL,
  is_counted {{boolean}} NOT NULL,
  begun_ms {{integer}} NOT NULL,
  sent_ms {{integer}} NOT NULL,
  PRIMARY KEY (network, nonce)
);
CREATE INDEX withdrawals_sending_by_state ON withdrawals_sending (network, state);
-- What a network took in all for the house's transactions, and how much of it the ledger was told of.
CREATE TABLE withdrawals_gas (
  network {{text}} PRIMARY KEY,
  chain_units {{text}} NOT NULL,
  posted_units {{amount}} NOT NULL
);
CREATE TABLE withdrawals_pause (
  network {{text}} PRIMARY KEY,
  cause {{text}} NOT NULL,
  since_ms {{integer}} NOT NULL
);

-- What stands on chains for users: their addresses, what came in, what goes out. Amounts of chains are decimal text of base
-- units (they outgrow 64 bits); ledger amounts are units of the asset. Addresses and hashes are in lower case.
CREATE TABLE custody_house (
  name {{text}} PRIMARY KEY,
  value {{text}} NOT NULL
);
CREATE TABLE custody_address (
  network {{text}} NOT NULL,
  address {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  PRIMARY KEY (network, address)
);
CREATE INDEX custody_address_by_user ON custody_address (user_id, network);
-- How far a network's blocks were read, and the hashes of those that may still be replaced.
CREATE TABLE custody_cursor (
  network {{text}} PRIMARY KEY,
  number {{integer}} NOT NULL,
  hash {{text}} NOT NULL,
  read_ms {{integer}} NOT NULL
);
CREATE TABLE custody_block (
  network {{text}} NOT NULL,
  number {{integer}} NOT NULL,
  hash {{text}} NOT NULL,
  PRIMARY KEY (network, number)
);
-- place is the log's number in its block's transaction, or below zero for the chain's own coin.
CREATE TABLE custody_deposit (
  deposit_id {{text}} PRIMARY KEY,
  network {{text}} NOT NULL,
  tx_hash {{text}} NOT NULL,
  place {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  address {{text}} NOT NULL,
  sender {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  chain_units {{text}} NOT NULL,
  units {{amount}} NOT NULL,
  block_number {{integer}},
  block_hash {{text}},
  state {{text}} NOT NULL,
  -- Counts credits: one taken back by a reorganisation and given again is another one.
  round {{integer}} NOT NULL,
  -- What of a credit that is taken back comes from the user, and how many plans for it were refused.
  taken_units {{amount}} NOT NULL,
  taking_round {{integer}} NOT NULL,
  seen_ms {{integer}} NOT NULL,
  credited_ms {{integer}},
  unlocked_ms {{integer}},
  UNIQUE (network, tx_hash, place)
);
CREATE INDEX custody_deposit_by_user ON custody_deposit (user_id, seen_ms);
CREATE INDEX custody_deposit_by_state ON custody_deposit (network, state);
CREATE INDEX custody_deposit_by_block ON custody_deposit (network, block_number);
-- What a user owes after a reorganisation took back what had been spent.
CREATE TABLE custody_debt (
  user_id {{integer}} NOT NULL,
  asset {{text}} NOT NULL,
  owed_units {{amount}} NOT NULL,
  -- The restriction of the ledger that keeps everything of his inside until it is repaid.
  restriction {{text}},
  PRIMARY KEY (user_id, asset)
);
-- Coins nobody listed that were sent to users' addresses, for the operator.
CREATE TABLE custody_unknown (
  network {{text}} NOT NULL,
  tx_hash {{text}} NOT NULL,
  place {{integer}} NOT NULL,
  contract {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  chain_units {{text}} NOT NULL,
  seen_ms {{integer}} NOT NULL,
  PRIMARY KEY (network, tx_hash, place)
);

-- Operators search by address and transaction, whatever the network.
CREATE INDEX custody_address_by_address ON custody_address (address);
CREATE INDEX custody_deposit_by_hash ON custody_deposit (tx_hash);
CREATE INDEX custody_deposit_by_credit ON custody_deposit (credited_ms);

-- Operators search by address and transaction, whatever the network, and count what was done in an hour.
CREATE INDEX withdrawals_withdrawal_by_address ON withdrawals_withdrawal (address, created_ms);
CREATE INDEX withdrawals_withdrawal_by_hash ON withdrawals_withdrawal (tx_hash);
CREATE INDEX withdrawals_withdrawal_by_change ON withdrawals_withdrawal (state, changed_ms);

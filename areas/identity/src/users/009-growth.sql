-- Accounts opened in an hour.
CREATE INDEX users_account_by_creation ON users_account (created_at_ms);

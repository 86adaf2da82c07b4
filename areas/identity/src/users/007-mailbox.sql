-- Accounts of one mailbox are found by its address without dots, which some hosts deliver to the same one.
CREATE INDEX users_account_by_mailbox ON users_account (replace(email, '.', ''));

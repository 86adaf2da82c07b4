-- Operators have books like everybody, blocked in the core: without them every page told them to wait for an account.
UPDATE users_account SET books = 'intended' WHERE role = 'operator';

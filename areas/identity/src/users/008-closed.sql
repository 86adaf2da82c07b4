-- When its owner closed the account; it is frozen from then on, and no code releases it.
ALTER TABLE users_account ADD COLUMN closed_at_ms {{integer}};

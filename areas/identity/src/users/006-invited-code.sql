-- The code somebody signed up with, the inviter's own or one of his links, and what part of the fees it promised then.
ALTER TABLE users_account ADD COLUMN invited_code {{text}};
ALTER TABLE users_account ADD COLUMN invited_percent {{integer}};
CREATE INDEX users_account_by_created ON users_account (created_at_ms);

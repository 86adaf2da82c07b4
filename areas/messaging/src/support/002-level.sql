-- The writer's VIP level when the ticket was opened; 0 without an account, and for what was written before.
ALTER TABLE support_ticket ADD COLUMN level {{integer}} NOT NULL DEFAULT 0;

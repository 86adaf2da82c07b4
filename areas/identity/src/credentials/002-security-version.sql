-- The account's security version when the code was right: a change in between makes the ticket worthless.
ALTER TABLE credentials_reset ADD COLUMN version {{integer}} NOT NULL DEFAULT 0;

-- The security version of the session that confirmed: a change of the account's security takes the confirmation back.
ALTER TABLE qr_login ADD COLUMN version {{integer}} NOT NULL DEFAULT 0;

-- Everybody who gains by a proposal, as a JSON array of account numbers in ascending order; before there was at most one.
ALTER TABLE proposals_proposal ADD COLUMN beneficiary_ids {{text}} NOT NULL DEFAULT '[]';
UPDATE proposals_proposal SET beneficiary_ids = '[' || CAST(beneficiary_id AS text) || ']' WHERE beneficiary_id IS NOT NULL;
ALTER TABLE proposals_proposal DROP COLUMN beneficiary_id;

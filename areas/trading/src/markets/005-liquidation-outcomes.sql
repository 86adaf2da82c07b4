-- Who took what a liquidation gave up; unknown of those before. Prints of all contracts together are read newest first.
ALTER TABLE markets_liquidation ADD COLUMN outcome {{text}};
CREATE INDEX markets_liquidation_by_sequence ON markets_liquidation (sequence, place);

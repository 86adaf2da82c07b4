-- The accounts by which it was seen that nothing is to be paid for a friend, apart by spaces.
ALTER TABLE invite_friend ADD COLUMN through {{text}} NOT NULL DEFAULT '';

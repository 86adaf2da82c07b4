-- Each round has a promise and a seed of its own: what one draw reveals says nothing of the next. Null for rounds that were
-- promised with their project's seed. The journalled seed a draw was made with, and its place in the journal, as JSON.
ALTER TABLE launchpad_round ADD COLUMN promise {{text}};
ALTER TABLE launchpad_round ADD COLUMN journal {{text}};

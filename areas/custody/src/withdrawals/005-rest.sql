-- Every saved address rests a day since it was added, whatever mode its owner was in then.
UPDATE withdrawals_saved SET usable_ms = created_ms + 86400000 WHERE usable_ms < created_ms + 86400000;

-- What of a round's stock went back to the house once nobody could buy it any more; null until it has.
ALTER TABLE launchpad_round ADD COLUMN returned_units {{amount}};
-- Commitments that were shared already are not refunded once more.
UPDATE launchpad_commit SET state = 'shared'
  WHERE state = 'done' AND round_id IN (SELECT round_id FROM launchpad_round WHERE stage = 'WAITED');

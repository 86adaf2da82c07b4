-- When a closed round is drawn or shared: its tickets and commitments are bound at the close, winners and shares are told
-- from then on. Null where that follows the close at once.
ALTER TABLE launchpad_round ADD COLUMN draw_ms {{integer}};

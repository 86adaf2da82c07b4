-- How far back of the best price a grid bot ends, in 1e-4; 0 for never.
ALTER TABLE engine_bots ADD COLUMN exit_bps {{integer}} NOT NULL DEFAULT 0;

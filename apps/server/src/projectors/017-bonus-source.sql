-- Which campaign's treasury (by its sub; 0 is the operators' own) paid a bonus, and what of it went back there since.
ALTER TABLE engine_bonuses ADD COLUMN source {{integer}} NOT NULL DEFAULT 0;
ALTER TABLE engine_bonuses ADD COLUMN returned_units {{amount}} NOT NULL DEFAULT 0;
CREATE INDEX engine_bonuses_by_source ON engine_bonuses (source) WHERE source <> 0;

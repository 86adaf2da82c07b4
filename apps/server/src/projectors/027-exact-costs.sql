-- A position's cost is seldom whole: its units are rounded up, by so many parts of 2^48. What came in is the same sum over its life.
ALTER TABLE engine_positions ADD COLUMN cost_excess {{amount}} NOT NULL DEFAULT 0;
ALTER TABLE engine_positions ADD COLUMN entered_excess {{amount}} NOT NULL DEFAULT 0;
ALTER TABLE engine_liquidations ADD COLUMN cost_excess {{amount}} NOT NULL DEFAULT 0;
ALTER TABLE engine_lead_positions ADD COLUMN cost_excess {{amount}} NOT NULL DEFAULT 0;
ALTER TABLE engine_lead_positions ADD COLUMN entered_excess {{amount}} NOT NULL DEFAULT 0;
-- Bills of funding: when it was due, which lies before the posting where a settlement was caught up on.
ALTER TABLE engine_bills ADD COLUMN settled_ms {{integer}};

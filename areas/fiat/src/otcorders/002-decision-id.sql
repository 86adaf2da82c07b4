-- Which intent decided a complaint: asked again it is the same decision, and another one comes too late.
ALTER TABLE otcorders_complaint ADD COLUMN decision_id {{text}} NOT NULL DEFAULT '';

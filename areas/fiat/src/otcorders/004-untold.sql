-- Which steps nobody has been told of yet: whoever comes after a stop tells them.
ALTER TABLE otcorders_log ADD COLUMN untold {{integer}} NOT NULL DEFAULT 0;
CREATE INDEX otcorders_log_by_untold ON otcorders_log (untold, at_ms);

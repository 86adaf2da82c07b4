-- The best price a trailing stop follows, and a slicer's schedule: slices done, slices in all, and the time between them.
ALTER TABLE engine_orders ADD COLUMN peak_ticks {{integer}};
ALTER TABLE engine_orders ADD COLUMN slices_done {{integer}};
ALTER TABLE engine_orders ADD COLUMN slice_count {{integer}};
ALTER TABLE engine_orders ADD COLUMN slice_ms {{integer}};

-- How many lots of an iceberg show at a time; not known of those placed before.
ALTER TABLE engine_orders ADD COLUMN visible_lots {{integer}};

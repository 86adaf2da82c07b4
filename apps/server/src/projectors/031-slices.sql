-- The TWAP an order is a slice of; not known of those placed before.
ALTER TABLE engine_orders ADD COLUMN parent_id {{integer}};

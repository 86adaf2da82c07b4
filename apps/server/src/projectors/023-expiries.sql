-- When an order that lasts until a day ends; not known of those placed before.
ALTER TABLE engine_orders ADD COLUMN expires_ms {{integer}};

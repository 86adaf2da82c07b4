-- What an order with exits will arm as it fills: price of the profit, trigger of the stop, and the limit behind it.
ALTER TABLE engine_orders ADD COLUMN profit_ticks {{integer}};
ALTER TABLE engine_orders ADD COLUMN stop_ticks {{integer}};
ALTER TABLE engine_orders ADD COLUMN stop_limit_ticks {{integer}};

-- Few orders and bills carry a name given by whoever made them; only these are looked up by it.
DROP INDEX engine_orders_by_client_id;
CREATE INDEX engine_orders_by_client_id ON engine_orders (account, client_order_id) WHERE client_order_id IS NOT NULL;
DROP INDEX engine_bills_by_reference;
CREATE INDEX engine_bills_by_reference ON engine_bills (reference) WHERE reference IS NOT NULL;

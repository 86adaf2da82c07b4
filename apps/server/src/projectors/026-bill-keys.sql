-- Where bills of one kind lie and when they were, without a look at the bills; those with a name by their name.
DROP INDEX engine_bills_by_kind;
CREATE INDEX engine_bills_by_kind ON engine_bills (account, asset, business, sequence, line, time_ms) WHERE account >= 16;
DROP INDEX engine_bills_named;
CREATE INDEX engine_bills_named ON engine_bills (account, reference) WHERE reference IS NOT NULL;

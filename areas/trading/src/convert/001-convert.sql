-- Firm quotes for turning one coin into another, each good for seconds and for its owner alone.
CREATE TABLE convert_quote (
  quote_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  from_asset {{text}} NOT NULL,
  to_asset {{text}} NOT NULL,
  from_units {{amount}} NOT NULL,
  to_units {{amount}} NOT NULL,
  -- OPEN, TAKEN (the ledger is being told), DONE.
  state {{text}} NOT NULL,
  expires_ms {{integer}} NOT NULL
);
CREATE INDEX convert_quote_by_end ON convert_quote (expires_ms);

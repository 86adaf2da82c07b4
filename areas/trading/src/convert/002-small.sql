-- One sweep of small balances for each of the caller's ids, and what it was decided to take: asked again it is the same sweep.
CREATE TABLE convert_sweep (
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, client_id)
);
CREATE TABLE convert_small (
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  asset {{text}} NOT NULL,
  from_units {{amount}} NOT NULL,
  to_units {{amount}} NOT NULL,
  -- TAKEN (the ledger is being told), DONE, REFUSED.
  state {{text}} NOT NULL,
  PRIMARY KEY (user_id, client_id, asset)
);
CREATE INDEX convert_small_by_state ON convert_small (state);

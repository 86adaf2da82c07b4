-- What people offer each other. The coins of a seller's ad lie in a book of the seller's own, one for each slot; what is
-- left of them is told here too, so that a list needs no ledger.
CREATE TABLE otcads_ad (
  ad_id {{identity}},
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  -- One of the merchant's twenty; empty once deleted.
  slot {{integer}},
  side {{text}} NOT NULL CHECK (side IN ('buy', 'sell')),
  asset {{text}} NOT NULL,
  fiat {{text}} NOT NULL,
  -- Ten-thousandths of the currency where the price is fixed, else 0.
  price_e4 {{amount}} NOT NULL,
  -- Hundredths of a percent of the index where it floats, else 0.
  premium_bps {{integer}} NOT NULL,
  quantity_units {{amount}} NOT NULL,
  stock_units {{amount}} NOT NULL CHECK (stock_units >= 0),
  min_cents {{amount}} NOT NULL,
  max_cents {{amount}} NOT NULL,
  -- Ids with commas between, and the kinds they are of.
  payments {{text}} NOT NULL,
  payment_kinds {{text}} NOT NULL,
  window_minutes {{integer}} NOT NULL CHECK (window_minutes BETWEEN 10 AND 60),
  note {{text}} NOT NULL,
  need_level {{integer}} NOT NULL,
  need_days {{integer}} NOT NULL,
  need_orders {{integer}} NOT NULL,
  need_completion {{integer}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('OPENING', 'ONLINE', 'CLOSING', 'OFFLINE', 'SOLD_OUT', 'BANNED', 'DELETED')),
  reason {{text}} NOT NULL,
  -- Counts every change; what was read before one is not acted on after it.
  version {{integer}} NOT NULL,
  -- Counts the times it went online: names the ledger's commands.
  round {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  changed_ms {{integer}} NOT NULL,
  UNIQUE (user_id, slot),
  UNIQUE (user_id, client_id)
);
CREATE INDEX otcads_ad_by_state ON otcads_ad (state);
-- A price held for somebody for a minute.
CREATE TABLE otcads_match (
  match_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  ad_id {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  price_e4 {{amount}} NOT NULL,
  quantity_units {{amount}} NOT NULL,
  amount_cents {{amount}} NOT NULL,
  candidates {{integer}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  order_id {{text}} NOT NULL
);
CREATE INDEX otcads_match_by_end ON otcads_match (expires_ms);

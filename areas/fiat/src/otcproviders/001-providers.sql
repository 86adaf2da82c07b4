-- Deals with outside providers of money, and what each person holds with them. A result is written down before the ledger
-- is asked; entries of money come in pairs that add up to nothing, the provider's own under user 0.
CREATE TABLE otcproviders_deal (
  deal_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  provider {{text}} NOT NULL,
  side {{text}} NOT NULL CHECK (side IN ('buy', 'sell')),
  asset {{text}} NOT NULL,
  fiat {{text}} NOT NULL,
  price_e4 {{amount}} NOT NULL,
  amount_cents {{amount}} NOT NULL,
  quantity_units {{amount}} NOT NULL,
  source {{text}} NOT NULL CHECK (source IN ('outside', 'balance')),
  state {{text}} NOT NULL CHECK (state IN ('QUOTED', 'TAKING', 'PENDING', 'SUCCESS', 'FAILED')),
  -- What the provider said, while it is being carried out.
  result {{text}} NOT NULL,
  reason {{text}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  changed_ms {{integer}} NOT NULL
);
CREATE INDEX otcproviders_deal_by_user ON otcproviders_deal (user_id, created_ms);
CREATE INDEX otcproviders_deal_by_state ON otcproviders_deal (state, changed_ms);
CREATE TABLE otcproviders_entry (
  reference {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  fiat {{text}} NOT NULL,
  cents {{amount}} NOT NULL,
  at_ms {{integer}} NOT NULL,
  PRIMARY KEY (reference, user_id)
);
CREATE INDEX otcproviders_entry_by_user ON otcproviders_entry (user_id, fiat);
-- Taken while somebody's money is counted and spent.
CREATE TABLE otcproviders_lock (
  user_id {{integer}} PRIMARY KEY,
  version {{integer}} NOT NULL
);

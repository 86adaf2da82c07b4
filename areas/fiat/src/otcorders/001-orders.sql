-- Orders between people. What is under way is written down as an intent before the ledger is asked, so a stop loses nothing.
CREATE TABLE otcorders_order (
  order_id {{text}} PRIMARY KEY,
  ad_id {{integer}} NOT NULL,
  maker_id {{integer}} NOT NULL,
  taker_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  buyer_id {{integer}} NOT NULL,
  seller_id {{integer}} NOT NULL,
  -- The book of the ad the coins are in escrow in; 0 is the seller's funding book.
  slot {{integer}} NOT NULL,
  asset {{text}} NOT NULL,
  fiat {{text}} NOT NULL,
  price_e4 {{amount}} NOT NULL,
  quantity_units {{amount}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  amount_cents {{amount}} NOT NULL,
  -- In USDT units when it was placed.
  worth_units {{amount}} NOT NULL,
  payment_kind {{text}} NOT NULL,
  payment_sealed {{bytes}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('PLACING', 'WAIT_PAY', 'PAID', 'APPEAL', 'COMPLETED', 'CANCELLED', 'REFUSED')),
  intent {{text}} NOT NULL,
  intent_by {{text}} NOT NULL,
  intent_ms {{integer}} NOT NULL,
  pay_by_ms {{integer}} NOT NULL,
  paid_ms {{integer}} NOT NULL,
  is_cancel_asked {{boolean}} NOT NULL,
  end_by {{text}} NOT NULL,
  -- Through whose fault it did not come to a good end.
  fault {{text}} NOT NULL CHECK (fault IN ('', 'buyer', 'seller')),
  ended_ms {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  UNIQUE (taker_id, client_id)
);
CREATE INDEX otcorders_order_by_buyer ON otcorders_order (buyer_id, created_ms);
CREATE INDEX otcorders_order_by_seller ON otcorders_order (seller_id, created_ms);
CREATE INDEX otcorders_order_by_ad ON otcorders_order (ad_id, state);
CREATE INDEX otcorders_order_by_state ON otcorders_order (state, pay_by_ms);
CREATE TABLE otcorders_log (
  id {{identity}},
  order_id {{text}} NOT NULL,
  at_ms {{integer}} NOT NULL,
  actor {{text}} NOT NULL,
  action {{text}} NOT NULL,
  detail {{text}} NOT NULL
);
CREATE INDEX otcorders_log_by_order ON otcorders_log (order_id, id);
-- Taken while somebody places an order, so that two at once see each other.
CREATE TABLE otcorders_lock (
  user_id {{integer}} PRIMARY KEY,
  version {{integer}} NOT NULL
);
CREATE TABLE otcorders_message (
  id {{identity}},
  order_id {{text}} NOT NULL,
  -- 0 is the exchange, −1 an operator.
  author_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('text', 'picture', 'system')),
  sealed {{bytes}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE INDEX otcorders_message_by_order ON otcorders_message (order_id, id);
CREATE TABLE otcorders_read (
  order_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  message_id {{integer}} NOT NULL,
  PRIMARY KEY (order_id, user_id)
);
CREATE TABLE otcorders_file (
  file_id {{text}} PRIMARY KEY,
  order_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  purpose {{text}} NOT NULL CHECK (purpose IN ('chat', 'evidence')),
  media_type {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE INDEX otcorders_file_by_order ON otcorders_file (order_id, user_id);
CREATE TABLE otcorders_complaint (
  complaint_id {{identity}},
  order_id {{text}} NOT NULL,
  by_role {{text}} NOT NULL CHECK (by_role IN ('buyer', 'seller')),
  reason {{text}} NOT NULL,
  -- What each side says; empty while it is silent.
  buyer_says {{text}} NOT NULL,
  seller_says {{text}} NOT NULL,
  opened_ms {{integer}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('OPEN', 'WITHDRAWN', 'DECIDED')),
  winner {{text}} NOT NULL,
  fault {{text}} NOT NULL,
  compensation_units {{amount}} NOT NULL,
  decision {{text}} NOT NULL,
  decided_ms {{integer}} NOT NULL
);
CREATE INDEX otcorders_complaint_by_order ON otcorders_complaint (order_id, complaint_id);
CREATE INDEX otcorders_complaint_by_state ON otcorders_complaint (state, opened_ms);

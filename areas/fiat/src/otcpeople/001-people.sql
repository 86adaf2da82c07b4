-- Where people are paid. What a payer needs is sealed; the label hides all but the end of the number.
CREATE TABLE otcpeople_payment (
  payment_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('bank', 'card', 'local', 'wallet')),
  fiat {{text}} NOT NULL,
  label {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  slot {{integer}} NOT NULL CHECK (slot >= 1 AND slot <= 20),
  created_ms {{integer}} NOT NULL,
  UNIQUE (user_id, slot)
);
CREATE TABLE otcpeople_merchant (
  user_id {{integer}} PRIMARY KEY,
  name {{text}} NOT NULL UNIQUE,
  state {{text}} NOT NULL CHECK (state IN ('APPLIED', 'AUDIT', 'ACTIVE', 'SUSPENDED', 'EXITING', 'EXITED')),
  level {{integer}} NOT NULL CHECK (level BETWEEN 1 AND 3),
  -- What lies in the merchant's bond account, in USDT units.
  bond_units {{amount}} NOT NULL,
  -- Each application, refill and payout is named by it: the ledger does none of them twice.
  version {{integer}} NOT NULL,
  opens_minute {{integer}} NOT NULL,
  closes_minute {{integer}} NOT NULL,
  reply {{text}} NOT NULL,
  reason {{text}} NOT NULL,
  is_simulated {{boolean}} NOT NULL,
  applied_ms {{integer}} NOT NULL,
  changed_ms {{integer}} NOT NULL,
  refill_by_ms {{integer}} NOT NULL,
  exit_ms {{integer}} NOT NULL
);
CREATE INDEX otcpeople_merchant_by_state ON otcpeople_merchant (state, changed_ms);
-- What is drawn from a bond or paid in again, written down before the ledger is asked.
CREATE TABLE otcpeople_move (
  reference {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  to_user_id {{integer}} NOT NULL,
  amount_units {{amount}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('draw', 'fill')),
  state {{text}} NOT NULL CHECK (state IN ('DUE', 'PAID', 'FAILED')),
  created_ms {{integer}} NOT NULL
);
CREATE TABLE otcpeople_block (
  user_id {{integer}} NOT NULL,
  blocked_id {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, blocked_id)
);
CREATE INDEX otcpeople_block_by_blocked ON otcpeople_block (blocked_id);
CREATE TABLE otcpeople_seen (
  user_id {{integer}} PRIMARY KEY,
  seen_ms {{integer}} NOT NULL
);

-- Rewards: campaigns, each with a treasury account of its own in the ledger, their tasks, and what people did and claimed.
-- Amounts are USDT units. What a campaign has left is the ledger's to say, never a table's.
CREATE TABLE rewards_campaign (
  campaign_id {{text}} PRIMARY KEY,
  -- The sub of its treasury account.
  number {{integer}} NOT NULL UNIQUE,
  name {{text}} NOT NULL,
  is_open {{boolean}} NOT NULL,
  is_simulated {{boolean}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE TABLE rewards_task (
  task_id {{text}} PRIMARY KEY,
  campaign_id {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  -- USDT units or a count, by kind.
  target {{amount}} NOT NULL CHECK (target >= 1),
  -- The course of a quiz; empty otherwise.
  course {{text}} NOT NULL,
  -- The task that must be done before.
  after_task {{text}},
  level_min {{integer}} NOT NULL,
  reward {{text}} NOT NULL,
  -- What one claim takes out of the budget.
  cost_units {{amount}} NOT NULL CHECK (cost_units >= 1),
  -- By reward, as JSON.
  terms {{text}} NOT NULL,
  starts_ms {{integer}} NOT NULL,
  ends_ms {{integer}} NOT NULL,
  claim_until_ms {{integer}} NOT NULL,
  position {{integer}} NOT NULL,
  is_open {{boolean}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE INDEX rewards_task_by_campaign ON rewards_task (campaign_id);
CREATE TABLE rewards_done (
  user_id {{integer}} NOT NULL,
  task_id {{text}} NOT NULL,
  done_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, task_id)
);
-- state: INTENDED (being paid), SHORT (the budget was spent; may be tried again), CLAIMED.
CREATE TABLE rewards_claim (
  claim_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  task_id {{text}} NOT NULL,
  campaign_id {{text}} NOT NULL,
  reward {{text}} NOT NULL,
  cost_units {{amount}} NOT NULL,
  terms {{text}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('INTENDED', 'SHORT', 'CLAIMED')),
  made_ms {{integer}} NOT NULL,
  claimed_ms {{integer}},
  -- When what was not used goes back to the campaign; null where nothing can.
  ends_ms {{integer}},
  -- Null until that was decided.
  returned_units {{amount}},
  UNIQUE (user_id, task_id)
);
CREATE INDEX rewards_claim_by_state ON rewards_claim (state, made_ms);
CREATE INDEX rewards_claim_by_campaign ON rewards_claim (campaign_id);
CREATE INDEX rewards_claim_open ON rewards_claim (ends_ms) WHERE returned_units IS NULL;
-- One device, one claim of a task.
CREATE TABLE rewards_device (
  task_id {{text}} NOT NULL,
  device {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  PRIMARY KEY (task_id, device)
);
-- Fee coupons pay fees back after the fill. One of a person and product counts at a time; fees up to `cursor` are counted.
-- pending: what is being paid in the turn of that number.
CREATE TABLE rewards_fee_coupon (
  coupon_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  biz {{text}} NOT NULL CHECK (biz IN ('spot', 'futures')),
  ratio_bps {{integer}} NOT NULL,
  face_units {{amount}} NOT NULL,
  paid_units {{amount}} NOT NULL,
  pending_units {{amount}} NOT NULL,
  turn {{integer}} NOT NULL,
  cursor_sequence {{integer}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('OPEN', 'USED', 'ENDED')),
  issued_ms {{integer}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  CHECK (paid_units + pending_units <= face_units)
);
CREATE INDEX rewards_fee_coupon_by_user ON rewards_fee_coupon (user_id, state);
CREATE INDEX rewards_fee_coupon_by_state ON rewards_fee_coupon (state, expires_ms);

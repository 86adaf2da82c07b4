-- Links people invite by, at most twenty each. friend_percent of the net fee goes back to whoever signs up by it from now on.
CREATE TABLE invite_link (
  code {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  slot {{integer}} NOT NULL CHECK (slot >= 1 AND slot <= 20),
  name {{text}} NOT NULL,
  friend_percent {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE UNIQUE INDEX invite_link_by_slot ON invite_link (user_id, slot);
CREATE UNIQUE INDEX invite_link_by_client ON invite_link (user_id, client_id);
-- Who was invited by whom, with the split as it was then. state: counts, or void with the reason why nothing is paid.
CREATE TABLE invite_friend (
  user_id {{integer}} PRIMARY KEY,
  inviter_id {{integer}} NOT NULL,
  code {{text}} NOT NULL,
  friend_percent {{integer}} NOT NULL,
  joined_ms {{integer}} NOT NULL,
  state {{text}} NOT NULL,
  reason {{text}} NOT NULL
);
CREATE INDEX invite_friend_by_inviter ON invite_friend (inviter_id, joined_ms, user_id);
-- Hours (since 1970) whose rebates were worked out, all of them up to each.
CREATE TABLE invite_hour (
  hour {{integer}} PRIMARY KEY,
  planned_ms {{integer}} NOT NULL
);
-- What one hour of one friend's fees in one coin brings whom: degree 0 the friend, 1 the inviter, 2 the inviter's inviter.
CREATE TABLE invite_rebate (
  hour {{integer}} NOT NULL,
  receiver_id {{integer}} NOT NULL,
  friend_id {{integer}} NOT NULL,
  asset {{integer}} NOT NULL,
  degree {{integer}} NOT NULL,
  fee_units {{amount}} NOT NULL,
  rebate_units {{amount}} NOT NULL,
  fee_usdt_units {{amount}} NOT NULL,
  rebate_usdt_units {{amount}} NOT NULL,
  PRIMARY KEY (hour, receiver_id, friend_id, asset, degree)
);
CREATE INDEX invite_rebate_by_receiver ON invite_rebate (receiver_id, hour);
CREATE INDEX invite_rebate_by_friend ON invite_rebate (friend_id, hour);
-- One payment for each hour and receiver: planned or paid.
CREATE TABLE invite_payment (
  hour {{integer}} NOT NULL,
  receiver_id {{integer}} NOT NULL,
  state {{text}} NOT NULL,
  paid_ms {{integer}},
  PRIMARY KEY (hour, receiver_id)
);
CREATE INDEX invite_payment_planned ON invite_payment (hour) WHERE state = 'planned';
-- Whoever wants to be named in the ranking.
CREATE TABLE invite_named (
  user_id {{integer}} PRIMARY KEY
);

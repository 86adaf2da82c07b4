-- Holds whose time was over: what was left of each is free again. The slice that made the hold reads them by business.
CREATE TABLE engine_expired_holds (
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  business {{text}} NOT NULL,
  asset {{integer}} NOT NULL,
  units {{amount}} NOT NULL,
  hold {{text}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, line)
);
CREATE INDEX engine_expired_holds_business ON engine_expired_holds (business, sequence, line);
-- USDT units of a user's worth that must stay; a row stays when nothing has to any more.
CREATE TABLE engine_restrictions (
  user_id {{integer}} PRIMARY KEY,
  total_units {{amount}} NOT NULL,
  updated_sequence {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
-- Accounts of the house by what they are for.
CREATE TABLE engine_house_accounts (
  account {{integer}} PRIMARY KEY,
  purpose {{text}} NOT NULL,
  sub {{integer}} NOT NULL
);
-- Seeds that draws were made from, told when replaced: in force from the command `since_sequence` to before `until_sequence`.
CREATE TABLE engine_seeds (
  number {{integer}} PRIMARY KEY,
  seed {{text}} NOT NULL,
  since_sequence {{integer}} NOT NULL,
  until_sequence {{integer}} NOT NULL,
  replaced_ms {{integer}} NOT NULL
);
CREATE INDEX engine_seeds_since ON engine_seeds (since_sequence);

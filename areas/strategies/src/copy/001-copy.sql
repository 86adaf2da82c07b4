-- Copy trading beside the core: who applied to lead and as whom, whom people keep an eye on, and the
-- past of simulated leaders before the first start. Money and follows are the core's.
CREATE TABLE copy_leader (
  account {{integer}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  nickname {{text}} NOT NULL,
  bio {{text}} NOT NULL,
  -- NONE, APPLIED, ACTIVE, PAUSED, CLOSING, REJECTED, SUSPENDED.
  state {{text}} NOT NULL,
  level {{integer}} NOT NULL,
  share_rate {{integer}} NOT NULL,
  is_simulated {{boolean}} NOT NULL,
  reason {{text}} NOT NULL,
  applied_ms {{integer}} NOT NULL,
  decided_ms {{integer}} NOT NULL,
  -- No application before this.
  rest_until_ms {{integer}} NOT NULL
);
CREATE UNIQUE INDEX copy_leader_by_user ON copy_leader (user_id, kind);
CREATE INDEX copy_leader_by_state ON copy_leader (state);
CREATE TABLE copy_focus (
  user_id {{integer}} NOT NULL,
  leader {{integer}} NOT NULL,
  note {{text}} NOT NULL,
  since_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, leader)
);
-- Trades between a leader's book and a book of somebody who follows him.
CREATE TABLE copy_wash_trade (
  market {{integer}} NOT NULL,
  trade_number {{integer}} NOT NULL,
  leader {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  lots {{amount}} NOT NULL,
  sequence {{integer}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (market, trade_number)
);
CREATE INDEX copy_wash_trade_by_leader ON copy_wash_trade (leader, sequence);
CREATE TABLE copy_cursor (
  name {{text}} PRIMARY KEY,
  sequence {{integer}} NOT NULL
);
-- A simulated leader's days and trades before the first start, from a journal of their own.
CREATE TABLE copy_past_day (
  leader {{integer}} NOT NULL,
  day_ms {{integer}} NOT NULL,
  nav {{amount}} NOT NULL,
  equity_units {{amount}} NOT NULL,
  pnl_units {{amount}} NOT NULL,
  PRIMARY KEY (leader, day_ms)
);
CREATE TABLE copy_past_trade (
  leader {{integer}} NOT NULL,
  number {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  lots {{amount}} NOT NULL,
  entry_units {{amount}} NOT NULL,
  exit_units {{amount}} NOT NULL,
  pnl_units {{amount}} NOT NULL,
  leverage {{integer}} NOT NULL,
  opened_ms {{integer}} NOT NULL,
  closed_ms {{integer}} NOT NULL,
  PRIMARY KEY (leader, number)
);

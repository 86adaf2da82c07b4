-- Recurring buys: what is bought when from which money, and what came of each due time.
CREATE TABLE plans_plan (
  plan_id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  name {{text}} NOT NULL,
  coins {{text}} NOT NULL,
  amount_units {{amount}} NOT NULL,
  rhythm {{text}} NOT NULL,
  minute_of_day {{integer}} NOT NULL,
  weekday {{integer}} NOT NULL,
  month_day {{integer}} NOT NULL,
  sources {{text}} NOT NULL,
  state {{text}} NOT NULL,
  skips {{integer}} NOT NULL,
  next_ms {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  changed_ms {{integer}} NOT NULL,
  UNIQUE (user_id, client_id)
);
CREATE INDEX plans_plan_by_due ON plans_plan (state, next_ms);
CREATE TABLE plans_run (
  plan_id {{text}} NOT NULL,
  due_ms {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  state {{text}} NOT NULL,
  spent_units {{amount}} NOT NULL,
  legs {{text}} NOT NULL,
  note {{text}} NOT NULL,
  PRIMARY KEY (plan_id, due_ms)
);
CREATE INDEX plans_run_by_state ON plans_run (state, due_ms);

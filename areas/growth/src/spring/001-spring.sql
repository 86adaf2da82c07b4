-- Spring cards: an activity pays its prizes out of a reward campaign's treasury. Amounts are USDT units.
CREATE TABLE spring_activity (
  activity_id {{text}} PRIMARY KEY,
  -- Whose treasury its prizes come from.
  campaign_id {{text}} NOT NULL,
  name {{text}} NOT NULL,
  starts_ms {{integer}} NOT NULL,
  ends_ms {{integer}} NOT NULL,
  -- Turnover for one more draw of the day.
  volume_units {{amount}} NOT NULL CHECK (volume_units >= 1),
  draws_max {{integer}} NOT NULL,
  -- How many tickets of a movement's draw win how much, as JSON.
  prizes {{text}} NOT NULL,
  is_open {{boolean}} NOT NULL,
  is_simulated {{boolean}} NOT NULL
);
-- The promise is shown from the day's beginning, the seed behind it when the day is over.
CREATE TABLE spring_day (
  activity_id {{text}} NOT NULL,
  day {{integer}} NOT NULL,
  server_seed {{text}} NOT NULL,
  promise {{text}} NOT NULL,
  PRIMARY KEY (activity_id, day)
);
-- One row for each draw, of a card or of a prize. A card's slot is one of the day's draws, a movement's the how-manieth it
-- is (day 0), so nobody draws twice for the same thing. state: INTENDED (its prize is being set aside), SHORT (nothing was
-- left), PENDING (waits for a public seed), DRAWN (the prize is being paid), DONE.
CREATE TABLE spring_draw (
  draw_id {{text}} PRIMARY KEY,
  activity_id {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  what {{text}} NOT NULL CHECK (what IN ('card', 'movement')),
  day {{integer}} NOT NULL,
  slot {{integer}} NOT NULL,
  seed_day {{integer}} NOT NULL,
  client_id {{text}} NOT NULL,
  tickets {{integer}} NOT NULL,
  close_sequence {{integer}} NOT NULL,
  root {{text}} NOT NULL,
  public_seed {{text}},
  seed {{text}},
  ticket {{integer}},
  prize_units {{amount}} NOT NULL,
  state {{text}} NOT NULL,
  made_ms {{integer}} NOT NULL,
  UNIQUE (activity_id, user_id, what, day, slot),
  UNIQUE (activity_id, user_id, client_id)
);
CREATE INDEX spring_draw_by_state ON spring_draw (state, made_ms);

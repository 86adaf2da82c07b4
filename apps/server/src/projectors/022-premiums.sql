-- Every sample of a contract's premium, those of five minutes together: slot_ms is their end, each is written as its second
-- in the slot and its premium in 1e-8 ("240,14200;"). Forgotten after a month.
CREATE TABLE engine_premiums (
  market {{integer}} NOT NULL,
  slot_ms {{integer}} NOT NULL,
  samples {{text}} NOT NULL,
  PRIMARY KEY (market, slot_ms)
) {{clustered}};

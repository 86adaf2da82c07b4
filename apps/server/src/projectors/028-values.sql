-- What assets were worth as the core published it: the last value of each minute and of each UTC day, units × up ÷ down in
-- USDT's units. A time in which nothing was published has no row: the one before it stands.
CREATE TABLE engine_values (
  asset {{integer}} NOT NULL,
  span_ms {{integer}} NOT NULL,
  slot_ms {{integer}} NOT NULL,
  up {{integer}} NOT NULL,
  down {{integer}} NOT NULL,
  PRIMARY KEY (asset, span_ms, slot_ms)
) {{clustered}};

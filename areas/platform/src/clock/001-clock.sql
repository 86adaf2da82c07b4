-- How far the exchange's clock was moved ahead of the machine's on purpose, in the run of whoever tries the product: one
-- row. A restart goes on from there.
CREATE TABLE clock_ahead (
  id {{integer}} PRIMARY KEY CHECK (id = 1),
  ahead_ms {{integer}} NOT NULL CHECK (ahead_ms >= 0)
);

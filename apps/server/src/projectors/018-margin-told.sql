-- What happened to a person's margin, as it is told to him: warnings, liquidations, deleveraging, funding. The body is the
-- event's own members as JSON. Rows are forgotten after some days; who tells keeps the place he has come to.
CREATE TABLE engine_margin_told (
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  account {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  body {{text}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (sequence, line)
) {{clustered}};
CREATE INDEX engine_margin_told_by_age ON engine_margin_told (time_ms);

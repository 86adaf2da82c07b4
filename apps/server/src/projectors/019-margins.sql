-- What was added to the own margin of isolated positions and taken out of it, by their owners and by itself; line numbers
-- those of one command. Changes of before were not noted.
CREATE TABLE engine_margin_changes (
  account {{integer}} NOT NULL,
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL,
  market {{integer}} NOT NULL,
  position_id {{integer}} NOT NULL,
  side {{text}} NOT NULL,
  delta_units {{amount}} NOT NULL,
  margin_units {{amount}} NOT NULL,
  automatic {{boolean}} NOT NULL,
  time_ms {{integer}} NOT NULL,
  PRIMARY KEY (account, sequence, line)
) {{clustered}};

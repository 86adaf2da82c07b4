-- Launches operators are making: a row stands before any coin moves, so that whoever goes on with it after a stop has the
-- same numbers of accounts and the same seed.
CREATE TABLE launchdesk_making (
  id {{identity}},
  reference {{text}} NOT NULL UNIQUE,
  project_id {{text}} NOT NULL UNIQUE,
  server_seed {{text}} NOT NULL,
  salt {{text}} NOT NULL,
  begun_ms {{integer}} NOT NULL
);

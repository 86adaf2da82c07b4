-- How far each of those who tell of what the tables hold has come.
CREATE TABLE notices_place (
  name {{text}} PRIMARY KEY,
  sequence {{integer}} NOT NULL,
  line {{integer}} NOT NULL
);

-- What visitors opened from the search, counted per UTC day. Only things the exchange itself has a name for.
CREATE TABLE searches_day (
  day {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  key {{text}} NOT NULL,
  count {{integer}} NOT NULL CHECK (count > 0),
  PRIMARY KEY (day, kind, key)
);

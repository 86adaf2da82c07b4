-- What visitors did, counted per UTC day and combination of labels. The key is a digest of day and labels: the labels
-- together may be longer than an index entry can be.
CREATE TABLE ops_statistics_day (
  key {{text}} PRIMARY KEY,
  day {{text}} NOT NULL,
  event {{text}} NOT NULL,
  request_source {{text}} NOT NULL CHECK (request_source IN ('H5', 'PC')),
  type {{text}} NOT NULL,
  utm_source {{text}} NOT NULL,
  utm_medium {{text}} NOT NULL,
  utm_campaign {{text}} NOT NULL,
  utm_term {{text}} NOT NULL,
  utm_content {{text}} NOT NULL,
  utm_id {{text}} NOT NULL,
  count {{integer}} NOT NULL CHECK (count > 0),
  first_at_ms {{integer}} NOT NULL,
  last_at_ms {{integer}} NOT NULL
);
CREATE INDEX ops_statistics_day_by_day ON ops_statistics_day (day, event);

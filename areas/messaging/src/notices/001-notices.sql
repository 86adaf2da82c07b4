-- What a user was told of, so that he is told once. Rows are forgotten after some months.
CREATE TABLE notices_notice (
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  reference {{text}} NOT NULL,
  at_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, kind, reference)
) {{clustered}};
CREATE INDEX notices_notice_by_age ON notices_notice (at_ms);

-- What a user chose; where there is no row the kind's own default counts.
CREATE TABLE notices_choice (
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  channel {{text}} NOT NULL CHECK (channel IN ('live', 'letter', 'mail', 'push')),
  is_on {{boolean}} NOT NULL,
  PRIMARY KEY (user_id, kind, channel)
);
CREATE INDEX notices_choice_by_kind ON notices_choice (kind, channel);

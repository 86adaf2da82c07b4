-- Who asked for the newsletter. Nobody is written to before they have confirmed, and leaving removes the row.
CREATE TABLE newsletter_subscriber (
  email {{text}} PRIMARY KEY,
  -- A digest of the secret in the confirmation mail, which also lets its owner leave.
  token_hash {{text}} NOT NULL,
  source {{text}} NOT NULL,
  locale {{text}} NOT NULL,
  asked_at_ms {{integer}} NOT NULL,
  confirmed_at_ms {{integer}}
);
CREATE UNIQUE INDEX newsletter_subscriber_by_token ON newsletter_subscriber (token_hash);

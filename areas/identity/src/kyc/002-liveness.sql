-- Whether a living person stood behind a selfie, as the named way of checking says; one row a person, the newest counts.
CREATE TABLE kyc_liveness (
  user_id {{integer}} PRIMARY KEY,
  kind {{text}} NOT NULL,
  token {{text}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('waiting', 'passed', 'failed')),
  at_ms {{integer}} NOT NULL
);

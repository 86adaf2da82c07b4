-- What is known of a person's identity. `sealed` is everything they wrote, encrypted; `level` is what was approved.
CREATE TABLE kyc_person (
  user_id {{integer}} PRIMARY KEY,
  level {{integer}} NOT NULL,
  target {{integer}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('DRAFT', 'SUBMITTED', 'REVIEW', 'APPROVED', 'REJECTED', 'MORE_INFO')),
  reason {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  expires_on {{text}} NOT NULL,
  submitted_at_ms {{integer}} NOT NULL,
  decided_at_ms {{integer}} NOT NULL
);
CREATE INDEX kyc_person_by_state ON kyc_person (state, submitted_at_ms);

-- One document, one person. The mark is a keyed digest of country, type and number.
CREATE TABLE kyc_document (
  mark {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL
);

CREATE TABLE kyc_submission (
  id {{identity}},
  user_id {{integer}} NOT NULL,
  at_ms {{integer}} NOT NULL
);
CREATE INDEX kyc_submission_by_user ON kyc_submission (user_id, at_ms);

-- Pictures and papers, encrypted. The newest of a kind counts.
CREATE TABLE kyc_file (
  id {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  kind {{text}} NOT NULL,
  media_type {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  created_at_ms {{integer}} NOT NULL,
  UNIQUE (user_id, kind)
);

-- Every look at a file by anybody.
CREATE TABLE kyc_view (
  id {{identity}},
  file_id {{text}} NOT NULL,
  viewer_id {{integer}} NOT NULL,
  address {{text}} NOT NULL,
  at_ms {{integer}} NOT NULL
);

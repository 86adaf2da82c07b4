-- How somebody appears to others: leaders and merchants show it, everybody else may. Without a row nothing is shown.
CREATE TABLE users_profile (
  user_id {{integer}} PRIMARY KEY,
  avatar {{integer}} NOT NULL,
  intro {{text}} NOT NULL,
  is_public {{boolean}} NOT NULL,
  updated_at_ms {{integer}} NOT NULL
);

-- Accounts elsewhere that sign in here. No token of a provider is kept: none is needed after the proof.
CREATE TABLE social_link (
  provider {{text}} NOT NULL,
  subject {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  email {{text}} NOT NULL,
  linked_at_ms {{integer}} NOT NULL,
  PRIMARY KEY (provider, subject)
);
CREATE INDEX social_link_by_user ON social_link (user_id);

-- Visits to a provider under way. `sealed` is what proves the answer is for our question.
CREATE TABLE social_flow (
  id {{text}} PRIMARY KEY,
  provider {{text}} NOT NULL,
  secret {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);

-- Proved accounts elsewhere that nobody here is linked to yet.
CREATE TABLE social_ticket (
  id {{text}} PRIMARY KEY,
  provider {{text}} NOT NULL,
  subject {{text}} NOT NULL,
  email {{text}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL
);

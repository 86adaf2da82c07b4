-- What the exchange sends to everybody who asked to hear from it. Messages of one issue are queued receiver by receiver, in
-- the order of their addresses: the place it has come to stands in the same transaction as the messages.
CREATE TABLE broadcasts_issue (
  number {{identity}},
  -- Names the intent: the same one is one issue.
  client_id {{text}} NOT NULL,
  audience {{text}} NOT NULL CHECK (audience IN ('newsletter', 'push', 'both')),
  -- {locale: {subject, body}} as JSON.
  words {{text}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('scheduled', 'sending', 'sent', 'cancelled')),
  send_at_ms {{integer}} NOT NULL,
  -- Where it has come to: mail first, then push, each after the last receiver's address.
  stage {{text}} NOT NULL CHECK (stage IN ('mail', 'push')),
  place {{text}} NOT NULL,
  mails {{integer}} NOT NULL,
  pushes {{integer}} NOT NULL,
  made_by {{integer}} NOT NULL,
  made_at_ms {{integer}} NOT NULL,
  started_at_ms {{integer}},
  ended_at_ms {{integer}}
);
CREATE UNIQUE INDEX broadcasts_issue_once ON broadcasts_issue (client_id);
CREATE INDEX broadcasts_issue_by_state ON broadcasts_issue (state, send_at_ms);

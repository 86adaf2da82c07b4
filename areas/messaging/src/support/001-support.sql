-- What visitors write to the exchange, with or without an account. Nothing here knows a network address.
CREATE TABLE support_ticket (
  number {{text}} PRIMARY KEY,
  -- Only a hash of the key that opens the ticket: who has lost it cannot be helped, who steals the table cannot read on.
  key_hash {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  topic {{text}} NOT NULL,
  name {{text}} NOT NULL,
  email {{text}} NOT NULL,
  user_id {{integer}},
  state {{text}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  updated_ms {{integer}} NOT NULL
);
CREATE INDEX support_ticket_by_state ON support_ticket (state, created_ms);
CREATE TABLE support_message (
  id {{identity}},
  number {{text}} NOT NULL,
  author {{text}} NOT NULL,
  text {{text}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE INDEX support_message_by_ticket ON support_message (number, id);
CREATE TABLE support_attachment (
  id {{identity}},
  number {{text}} NOT NULL,
  name {{text}} NOT NULL,
  media_type {{text}} NOT NULL,
  bytes {{bytes}} NOT NULL
);
CREATE INDEX support_attachment_by_ticket ON support_attachment (number);

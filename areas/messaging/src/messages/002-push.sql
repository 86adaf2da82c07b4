-- Pushes to phones go out as mails and SMS do. The table is made anew because a check cannot be changed in place.
CREATE TABLE messages_message_new (
  id {{identity}},
  receiver {{text}} NOT NULL,
  channel {{text}} NOT NULL CHECK (channel IN ('mail', 'sms', 'push')),
  kind {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('waiting', 'kept', 'void', 'failed')),
  tries {{integer}} NOT NULL,
  next_at_ms {{integer}} NOT NULL,
  created_at_ms {{integer}} NOT NULL
);
INSERT INTO messages_message_new (receiver, channel, kind, sealed, state, tries, next_at_ms, created_at_ms)
  SELECT receiver, channel, kind, sealed, state, tries, next_at_ms, created_at_ms FROM messages_message ORDER BY id;
DROP TABLE messages_message;
ALTER TABLE messages_message_new RENAME TO messages_message;
CREATE INDEX messages_message_by_state ON messages_message (state, next_at_ms);
CREATE INDEX messages_message_by_receiver ON messages_message (receiver, id);

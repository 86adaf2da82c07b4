-- Mails and SMS on their way. `sealed` is the encrypted subject, text and code: a copy of the database tells no code.
-- States: waiting (to be sent), kept (the development outbox), void (to nobody: costs the same, is never shown).
CREATE TABLE messages_message (
  id {{identity}},
  receiver {{text}} NOT NULL,
  channel {{text}} NOT NULL CHECK (channel IN ('mail', 'sms')),
  kind {{text}} NOT NULL,
  sealed {{bytes}} NOT NULL,
  state {{text}} NOT NULL CHECK (state IN ('waiting', 'kept', 'void', 'failed')),
  tries {{integer}} NOT NULL,
  next_at_ms {{integer}} NOT NULL,
  created_at_ms {{integer}} NOT NULL
);
CREATE INDEX messages_message_by_state ON messages_message (state, next_at_ms);
CREATE INDEX messages_message_by_receiver ON messages_message (receiver, id);

-- The support chat of an account: its conversations are tickets of the kind `chat`. One row per account: whoever writes
-- twice at once does so one after the other, and here stands how far the owner has read.
CREATE TABLE support_chat (
  user_id {{integer}} PRIMARY KEY,
  read_id {{integer}} NOT NULL,
  wrote_ms {{integer}} NOT NULL
);
-- Of a chat alone: the intent of the message, and the picture it stands for.
ALTER TABLE support_message ADD COLUMN client_id {{text}};
ALTER TABLE support_message ADD COLUMN file_id {{integer}};
CREATE UNIQUE INDEX support_message_once ON support_message (number, client_id);
CREATE INDEX support_ticket_by_user ON support_ticket (user_id, created_ms);

-- By which device, mailbox and network address a reward was taken, and by whom: a key has as many slots as people may share it.
CREATE TABLE claimants_use (
  reward {{text}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('device', 'mailbox', 'address')),
  -- A keyed digest.
  key {{text}} NOT NULL,
  slot {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  used_ms {{integer}} NOT NULL,
  PRIMARY KEY (reward, kind, key, slot),
  UNIQUE (reward, kind, key, user_id)
);

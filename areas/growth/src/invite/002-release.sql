-- When operators decided that a friend counts although devices are shared; no device takes that back. Null for everybody else.
ALTER TABLE invite_friend ADD COLUMN released_ms {{integer}};
CREATE INDEX invite_friend_judged ON invite_friend (joined_ms, user_id) WHERE state = 'void' OR released_ms IS NOT NULL;

-- Keys of programs that act for a user. The secret of an HMAC key is sealed with a key kept outside the database.
CREATE TABLE apikeys_key (
  api_key {{text}} NOT NULL PRIMARY KEY,
  user_id {{integer}} NOT NULL,
  label {{text}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('HMAC', 'ED25519', 'RSA')),
  public_key {{text}},
  sealed {{bytes}},
  permissions {{text}} NOT NULL,
  ip_list {{text}} NOT NULL,
  order_rate {{integer}} NOT NULL,
  created_at_ms {{integer}} NOT NULL,
  expires_at_ms {{integer}} NOT NULL,
  used_at_ms {{integer}} NOT NULL,
  used_address {{text}} NOT NULL,
  used_call {{text}} NOT NULL,
  slot {{integer}} NOT NULL CHECK (slot >= 1 AND slot <= 20),
  UNIQUE (user_id, slot)
);

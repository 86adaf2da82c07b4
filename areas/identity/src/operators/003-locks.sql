-- Rows taken by an update before rights or the log change: whoever holds one is alone until his transaction ends.
CREATE TABLE operators_lock (
  name {{text}} PRIMARY KEY,
  turns {{integer}} NOT NULL
);
INSERT INTO operators_lock (name, turns) VALUES ('rights', 0), ('audit', 0);

-- Addresses a start has made administrators of, each once ever. user_id is null where no account was made for it.
CREATE TABLE operators_founder (
  email {{text}} PRIMARY KEY,
  user_id {{integer}},
  at_ms {{integer}} NOT NULL
);

-- A row taken by an update before anything is counted or replaced: whoever holds it is alone until his transaction ends.
CREATE TABLE campaigns_lock (
  name {{text}} PRIMARY KEY,
  turns {{integer}} NOT NULL
);
INSERT INTO campaigns_lock (name, turns) VALUES ('items', 0);

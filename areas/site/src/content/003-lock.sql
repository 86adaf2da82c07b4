-- A row taken by an update before anything is counted or replaced: whoever holds it is alone until his transaction ends.
CREATE TABLE content_lock (
  name {{text}} PRIMARY KEY,
  turns {{integer}} NOT NULL
);
INSERT INTO content_lock (name, turns) VALUES ('links', 0);

-- A row taken by an update before anything is counted or replaced: whoever holds it is alone until his transaction ends.
CREATE TABLE articles_lock (
  name {{text}} PRIMARY KEY,
  turns {{integer}} NOT NULL
);
INSERT INTO articles_lock (name, turns) VALUES ('new', 0);

-- A row taken by an update before activities are compared: whoever holds it is alone until his transaction ends.
CREATE TABLE spring_lock (
  name {{text}} PRIMARY KEY,
  turns {{integer}} NOT NULL
);
INSERT INTO spring_lock (name, turns) VALUES ('activities', 0);

-- One name, one person: as it looks, without what is easily overlooked. Kept while its owner may lead under it again.
CREATE TABLE copy_nickname (
  name {{text}} PRIMARY KEY,
  user_id {{integer}} NOT NULL
);
INSERT INTO copy_nickname (name, user_id)
  SELECT replace(replace(replace(replace(lower(nickname), ' ', ''), '_', ''), '.', ''), '-', ''), min(user_id)
  FROM copy_leader GROUP BY 1;

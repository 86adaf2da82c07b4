-- What people say of leaders, who reported it, and when somebody last wrote: one after the other.
CREATE TABLE comments_writer (
  user_id {{integer}} PRIMARY KEY,
  wrote_ms {{integer}} NOT NULL
);
CREATE TABLE comments_comment (
  number {{identity}},
  client_id {{text}} NOT NULL,
  leader {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  nickname {{text}} NOT NULL,
  text {{text}} NOT NULL,
  -- SHOWN, HIDDEN by an operator, REMOVED by its writer.
  state {{text}} NOT NULL,
  reports {{integer}} NOT NULL,
  created_ms {{integer}} NOT NULL
);
CREATE UNIQUE INDEX comments_comment_once ON comments_comment (user_id, client_id);
CREATE INDEX comments_comment_by_leader ON comments_comment (leader, number);
CREATE INDEX comments_comment_by_user ON comments_comment (user_id, created_ms);
CREATE TABLE comments_report (
  comment {{integer}} NOT NULL,
  user_id {{integer}} NOT NULL,
  reason {{text}} NOT NULL,
  created_ms {{integer}} NOT NULL,
  PRIMARY KEY (comment, user_id)
);

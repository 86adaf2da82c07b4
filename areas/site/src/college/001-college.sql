-- How far a reader is: the best result of each lesson's quiz.
CREATE TABLE college_progress (
  user_id {{integer}} NOT NULL,
  course {{text}} NOT NULL,
  lesson {{text}} NOT NULL,
  correct {{integer}} NOT NULL,
  questions {{integer}} NOT NULL,
  passed_ms {{integer}},
  tried_ms {{integer}} NOT NULL,
  PRIMARY KEY (user_id, course, lesson)
);

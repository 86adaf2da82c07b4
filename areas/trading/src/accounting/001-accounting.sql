-- What each user's movements came to, folded up to a command of the journal: lots at average cost, and every day with events.
CREATE TABLE accounting_fold (
  user_id {{integer}} PRIMARY KEY,
  sequence {{integer}} NOT NULL,
  -- The lots as kit/accounting keeps them.
  lots {{text}} NOT NULL
);
CREATE TABLE accounting_day (
  user_id {{integer}} NOT NULL,
  day {{integer}} NOT NULL,
  record {{text}} NOT NULL,
  PRIMARY KEY (user_id, day)
);
